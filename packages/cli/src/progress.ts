import { MultiBar, Presets } from "cli-progress";

/** Shows how far one input is. `fraction` is from 0 to 1; a note stays when the stage has changed. */
export type Bar = {
	update: (stage: string, fraction: number) => void;
	note: (text: string) => void;
	end: (stage: string) => void;
};

/** A bar per input on a terminal; elsewhere a line per stage. Both go to standard error, so that output can be piped. */
export function createProgress(): { bar: (name: string) => Bar; stop: () => void } {
	if (!process.stderr.isTTY) return { bar: plainBar, stop: () => {} };
	const format = "{bar} {percentage}% {stage} {name}";
	const multi = new MultiBar(
		{ format, stream: process.stderr, hideCursor: true, forceRedraw: true },
		Presets.rect,
	);
	return {
		bar: (name) => {
			const bar = multi.create(100, 0, { name, stage: "waiting".padEnd(15) });
			const show = (stage: string, percent: number) => bar.update(percent, { stage: stage.padEnd(15) });
			return {
				update: (stage, fraction) => show(stage, Math.floor(fraction * 100)),
				note: (text) => multi.log(`${name}: ${text}\n`),
				end: (stage) => show(stage, 100),
			};
		},
		stop: () => multi.stop(),
	};
}

function plainBar(name: string): Bar {
	let last = "";
	const say = (stage: string) => {
		if (stage !== last) console.error(`${name}: ${stage}`);
		last = stage;
	};
	return { update: say, note: (text) => console.error(`${name}: ${text}`), end: say };
}
