import { useEffect, useRef } from "react";
import { classes } from "../../ui/classes.ts";
import { Button, buttonClass, IconButton } from "../../ui/controls/button.tsx";
import { Menu, MenuItem } from "../../ui/controls/menu.tsx";
import { useShortcuts } from "../../ui/controls/shortcuts.ts";
import { formatClock } from "../../ui/format.ts";
import { icons } from "../../ui/icons.tsx";
import { useStore } from "../../ui/store.ts";
import { texts } from "../texts.ts";
import { type Player, RATES, type Span } from "./player.ts";
import { type Marks, Waveform } from "./waveform.tsx";

const t = texts.player;
const STEP_S = 5;

type Props = {
	player: Player;
	duration: number;
	channels: Uint8Array[];
	colours?: number[] | undefined;
	marks: Marks;
	/** Absent where the words do not follow the recording. */
	isFollowing?: boolean;
	onFollow?: (isFollowing: boolean) => void;
	/** What "loop" repeats when it is pressed. */
	loopTarget: () => Span | undefined;
	/** What else stays at the top. */
	children?: React.ReactNode;
};

/** The recording with its controls. Stays at the top while the transcript scrolls. */
export function PlayerBar({
	player,
	duration,
	channels,
	colours,
	marks,
	isFollowing,
	onFollow,
	loopTarget,
	children,
}: Props) {
	const { isPlaying, rate, skipsSilence, loop, problem } = useStore(player.state);
	const { media } = player;
	const skip = (seconds: number) => player.seek(media.currentTime + seconds);
	const changeRate = (step: 1 | -1) => {
		const next = RATES[RATES.indexOf(rate) + step];
		if (next) player.setRate(next);
	};
	const toggleLoop = () => player.setLoop(loop ? undefined : loopTarget());
	const setLoopEnd = (change: Partial<Span>) => {
		const now = { start: 0, end: duration, ...loop, ...change };
		if (now.end > now.start) player.setLoop(now);
	};
	const group = t.group;
	useShortcuts([
		{ keys: "space", label: `${t.play} / ${t.pause}`, group, run: player.toggle },
		{ keys: "arrowleft", label: t.back, group, run: () => skip(-STEP_S) },
		{ keys: "arrowright", label: t.forward, group, run: () => skip(STEP_S) },
		{ keys: ">", label: t.faster, group, run: () => changeRate(1) },
		{ keys: "<", label: t.slower, group, run: () => changeRate(-1) },
		{ keys: "s", label: t.skip, group, run: () => player.setSkipsSilence(!skipsSilence) },
		{ keys: "l", label: t.loop, group, run: toggleLoop },
		{ keys: "[", label: t.loopStart, group, run: () => setLoopEnd({ start: media.currentTime }) },
		{ keys: "]", label: t.loopEnd, group, run: () => setLoopEnd({ end: media.currentTime }) },
		...(onFollow ? [{ keys: "f", label: t.follow, group, run: () => onFollow(!isFollowing) }] : []),
	]);
	return (
		<section
			aria-label={t.region}
			data-covers=""
			className="sticky top-0 z-10 -mx-4 border-b border-line bg-canvas px-4 pt-3 pb-2 sm:-mx-6 sm:px-6 lg:-mx-9 lg:px-9"
		>
			{duration > 0 && (
				<Waveform player={player} channels={channels} duration={duration} marks={marks} colours={colours} />
			)}
			<div className="mt-1 flex flex-wrap items-center gap-x-1 gap-y-1">
				<IconButton label={t.back} shortcut="ArrowLeft" icon={icons.back} onClick={() => skip(-STEP_S)} />
				<IconButton
					label={isPlaying ? t.pause : t.play}
					shortcut="Space"
					icon={isPlaying ? icons.pause : icons.play}
					look="lead"
					size="round"
					onClick={player.toggle}
				/>
				<IconButton
					label={t.forward}
					shortcut="ArrowRight"
					icon={icons.forward}
					onClick={() => skip(STEP_S)}
				/>
				<p className="tabular mx-1 font-mono text-sm whitespace-nowrap sm:mx-2">
					<Position player={player} />{" "}
					<span className="text-soft max-sm:hidden">/ {formatClock(duration)}</span>
				</p>
				<div className="grow" />
				<Menu
					label={`${t.rate}: ${t.rateOf(rate)}`}
					triggerClass={buttonClass({ size: "small", look: "quiet" })}
					trigger={<span className="tabular min-w-8">{t.rateOf(rate)}</span>}
				>
					{RATES.map((one) => (
						<MenuItem key={one} isChecked={one === rate} onSelect={() => player.setRate(one)}>
							{t.rateOf(one)}
						</MenuItem>
					))}
				</Menu>
				<Toggle
					label={t.skip}
					hint={`${t.skipHint} (S)`}
					icon={icons.skip}
					isOn={skipsSilence}
					onPress={() => player.setSkipsSilence(!skipsSilence)}
				/>
				<Toggle
					label={t.loop}
					hint={`${t.loopHint} (L)`}
					icon={icons.loop}
					isOn={Boolean(loop)}
					onPress={toggleLoop}
				/>
				{onFollow && (
					<Toggle
						label={t.follow}
						hint={`${t.followHint} (F)`}
						icon={icons.follow}
						isOn={isFollowing ?? false}
						onPress={() => onFollow(!isFollowing)}
					/>
				)}
			</div>
			{children}
			{problem !== undefined && (
				<p role="status" className="mt-1 flex flex-wrap items-center gap-2 text-sm text-warn">
					{icons.warning}
					<span>
						{t.noAudio}. <span className="text-soft">{t.noAudioHint}</span>
					</span>
					<Button size="small" onClick={player.toggle}>
						{t.retry}
					</Button>
				</p>
			)}
		</section>
	);
}

type ToggleProps = { label: string; hint: string; icon: React.ReactNode; isOn: boolean; onPress: () => void };

function Toggle({ label, hint, icon, isOn, onPress }: ToggleProps) {
	return (
		<button
			type="button"
			aria-pressed={isOn}
			title={hint}
			onClick={onPress}
			className={classes(
				"inline-flex h-7 cursor-pointer items-center gap-1.5 rounded-md px-1.5 text-xs font-medium transition-colors sm:px-2",
				isOn ? "bg-lead-wash text-lead" : "text-soft hover:bg-hover hover:text-ink",
			)}
		>
			{icon}
			<span className="max-sm:sr-only">{label}</span>
		</button>
	);
}

/** The time that is played, written without rendering. */
function Position({ player: { media } }: { player: Player }) {
	const element = useRef<HTMLTimeElement>(null);
	useEffect(() => {
		const show = () => {
			const text = formatClock(media.currentTime);
			if (element.current && element.current.textContent !== text) element.current.textContent = text;
		};
		show();
		const names = ["timeupdate", "seeking", "loadedmetadata"];
		for (const name of names) media.addEventListener(name, show);
		return () => {
			for (const name of names) media.removeEventListener(name, show);
		};
	}, [media]);
	return <time ref={element} />;
}
