import { type SubmitEvent, useState } from "react";
import { type Reading, voiceColour, voiceName } from "../job/transcript/paragraphs.ts";
import { VOICE_CLASSES } from "../job/transcript/transcript.tsx";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { Input } from "../ui/controls/field.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { texts } from "./texts.ts";

const t = texts.speakerDialog;

type Props = {
	reading: Reading;
	isBusy: boolean;
	onRename: (names: Record<string, string>) => void;
	onClose: () => void;
};

/** Names every speaker at once. The same name twice merges two of them. */
export function SpeakersDialog({ reading, isBusy, onRename, onClose }: Props) {
	const { voices, paragraphs } = reading;
	const [names, setNames] = useState<Record<string, string>>({});
	const nameOf = (voice: string) => names[voice] ?? voice;
	const changed = Object.fromEntries(
		voices.flatMap((voice) => {
			const name = nameOf(voice).trim();
			return name && name !== voice ? [[voice, name]] : [];
		}),
	);
	const wordsOf = (voice: string) =>
		paragraphs.reduce((sum, paragraph) => sum + (paragraph.voice === voice ? paragraph.words.length : 0), 0);
	const submit = (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (Object.keys(changed).length > 0) onRename(changed);
	};
	return (
		<Dialog
			title={t.title}
			description={voices.length > 0 ? t.description : t.none}
			onClose={onClose}
			actions={
				voices.length > 0 && (
					<Button
						look="lead"
						type="submit"
						form="speakers"
						busy={isBusy}
						disabled={Object.keys(changed).length === 0}
					>
						{t.save}
					</Button>
				)
			}
		>
			<form id="speakers" method="post" onSubmit={submit} className="space-y-3">
				{voices.map((voice) => {
					const other = voices.find((one) => one !== voice && nameOf(one).trim() === nameOf(voice).trim());
					return (
						<div key={voice} className="flex items-start gap-3">
							<span
								aria-hidden="true"
								className={classes(
									"mt-2.5 size-3 shrink-0 rounded-full bg-current",
									VOICE_CLASSES[voiceColour(voices, voice) - 1],
								)}
							/>
							<div className="min-w-0 grow">
								<Input
									label={t.name(voiceName(voice))}
									isLabelHidden
									dir="auto"
									maxLength={64}
									placeholder={voiceName(voice)}
									value={nameOf(voice)}
									hint={other ? t.merges(voiceName(other)) : t.words(wordsOf(voice))}
									onChange={({ target }) => setNames({ ...names, [voice]: target.value })}
								/>
							</div>
						</div>
					);
				})}
			</form>
		</Dialog>
	);
}

/** Asks for the name of somebody who is not in the transcript yet. */
export function NewSpeakerDialog({ onAdd, onClose }: { onAdd: (name: string) => void; onClose: () => void }) {
	const [name, setName] = useState("");
	return (
		<Dialog
			title={t.newTitle}
			onClose={onClose}
			actions={
				<Button look="lead" type="submit" form="new-speaker" disabled={!name.trim()}>
					{t.newAction}
				</Button>
			}
		>
			<form
				id="new-speaker"
				method="post"
				onSubmit={(event) => {
					event.preventDefault();
					if (name.trim()) onAdd(name.trim());
				}}
			>
				<Input
					label={t.newLabel}
					dir="auto"
					maxLength={64}
					value={name}
					onChange={({ target }) => setName(target.value)}
				/>
			</form>
		</Dialog>
	);
}
