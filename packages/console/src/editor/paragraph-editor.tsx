import { memo, useLayoutEffect, useRef } from "react";
import { type Paragraph, voiceName } from "../job/transcript/paragraphs.ts";
import { VOICE_CLASSES } from "../job/transcript/transcript.tsx";
import { classes } from "../ui/classes.ts";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../ui/controls/menu.tsx";
import { formatClock } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { texts } from "./texts.ts";

type Props = {
	paragraph: Paragraph;
	place: number;
	/** The text as it is now. */
	text: string;
	isChanged: boolean;
	/** Number of the speaker's colour, from 1. */
	colour: number;
	voices: readonly string[];
	isReadOnly: boolean;
	onWrite: (place: number, text: string) => void;
	/** Gives the selected words, or else the whole paragraph, to a speaker. Absent: a new one. */
	onVoice: (place: number, voice: string | undefined) => void;
	onPlay: (time: number) => void;
};

/** A paragraph that is edited in place. It stays one text node, so that words can be marked in it. */
export const ParagraphEditor = memo(
	({ paragraph, place, text, isChanged, colour, voices, isReadOnly, onWrite, onVoice, onPlay }: Props) => {
		const element = useRef<HTMLDivElement>(null);
		// React leaves the text alone, as the browser changes it while somebody types.
		useLayoutEffect(() => {
			if (element.current && element.current.textContent !== text) element.current.textContent = text;
		}, [text]);
		const voice = voiceName(paragraph.voice);
		const clock = formatClock(paragraph.start);
		return (
			<div className="grid grid-cols-[3.25rem_minmax(0,1fr)] gap-x-3 py-1.5 [contain-intrinsic-block-size:auto_9rem] [content-visibility:auto] sm:grid-cols-[4rem_minmax(0,1fr)] sm:gap-x-4">
				<div className="col-start-2 -ml-1.5 h-6">
					<Menu
						label={texts.changeSpeaker(voice)}
						align="start"
						triggerClass={classes(
							"inline-flex max-w-full cursor-pointer items-center gap-1 rounded-md px-1.5 text-sm font-semibold hover:bg-hover disabled:cursor-default",
							paragraph.voice ? VOICE_CLASSES[colour - 1] : "text-soft",
						)}
						trigger={
							<>
								<span dir="auto" className="truncate">
									{voice || texts.nobody}
								</span>
								{!isReadOnly && icons.down}
							</>
						}
					>
						<MenuLabel>{texts.assignHint}</MenuLabel>
						{voices.map((one) => (
							<MenuItem key={one} isChecked={one === paragraph.voice} onSelect={() => onVoice(place, one)}>
								{voiceName(one)}
							</MenuItem>
						))}
						<MenuSeparator />
						<MenuItem icon={icons.plus} onSelect={() => onVoice(place, undefined)}>
							{texts.newSpeaker}
						</MenuItem>
					</Menu>
				</div>
				<button
					type="button"
					onClick={() => onPlay(paragraph.start)}
					className="tabular col-start-1 mt-1 h-6 cursor-pointer self-start rounded-sm text-right font-mono text-xs text-soft hover:text-lead"
				>
					<span className="sr-only">{texts.playPause} </span>
					{clock}
				</button>
				{/* biome-ignore lint/a11y/useSemanticElements: a text area cannot mark words */}
				<div
					ref={element}
					data-p={place}
					dir="auto"
					role="textbox"
					tabIndex={0}
					aria-multiline="true"
					aria-label={texts.paragraph(clock, voice)}
					aria-readonly={isReadOnly || undefined}
					contentEditable={isReadOnly ? undefined : "plaintext-only"}
					suppressContentEditableWarning
					spellCheck
					onInput={({ currentTarget }) => onWrite(place, toLine(currentTarget))}
					onKeyDown={(event) => {
						if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
						if (event.key === "Escape") event.currentTarget.blur();
					}}
					className={classes(
						"col-start-2 -mx-2 max-w-[70ch] rounded-md border-l-2 px-2 font-serif text-lg leading-8 wrap-anywhere focus:bg-raised focus:outline-1 focus:outline-lead",
						isChanged ? "rounded-l-none border-lead" : "border-transparent",
					)}
				/>
			</div>
		);
	},
);

/** Reads what was typed as one line, and keeps it one text node. */
function toLine(element: HTMLElement): string {
	const text = element.textContent ?? "";
	const line = text.replace(/[\r\n\t\u2028\u2029]+/g, " ");
	const isPlain = element.childNodes.length === 1 && element.firstChild instanceof Text;
	if (line !== text || (!isPlain && text !== "")) {
		const offset = caretIn(element);
		element.textContent = line;
		setCaret(element, Math.min(offset, line.length));
	}
	return line;
}

/** Counts the letters before the caret. */
export function caretIn(element: HTMLElement): number {
	const selection = getSelection();
	if (!selection?.rangeCount || !element.contains(selection.focusNode)) return 0;
	const range = document.createRange();
	range.selectNodeContents(element);
	if (selection.focusNode) range.setEnd(selection.focusNode, selection.focusOffset);
	return range.toString().length;
}

/** Puts the caret into a paragraph, or selects a part of it. */
export function setCaret(element: HTMLElement, from: number, to = from): void {
	const text = element.firstChild;
	const length = text?.nodeValue?.length ?? 0;
	const selection = getSelection();
	element.focus({ preventScroll: true });
	if (text && selection) selection.setBaseAndExtent(text, Math.min(from, length), text, Math.min(to, length));
}
