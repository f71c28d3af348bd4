import { formatCount } from "../ui/format.ts";

export const texts = {
	title: "Search",
	label: "Search all transcripts",
	placeholder: "Words that somebody said",
	focus: "Search transcripts",
	clear: "Clear",
	list: "Hits",
	startTitle: "Find a sentence in any recording",
	start: "Words must occur close together. Case and accents do not count.",
	examples: [
		["refund invoice", "both words, close together"],
		['"speak to a manager"', "exactly this phrase"],
		["cancel*", "cancel, cancelled, cancellation"],
	] as [query: string, meaning: string][],
	noneTitle: "No transcript has these words",
	noneHint:
		"Try fewer words, or the beginning of one with *. Transcripts can be found until their retention ends.",
	found: (jobs: number, hasMore: boolean) =>
		hasMore ? `${formatCount(jobs, "newest recording")} shown` : formatCount(jobs, "recording"),
	more: "Show more recordings",
	moreInJob: "More in this recording",
	play: (text: string) => `Play: ${text}`,
	stop: "Stop",
	noAudio: "This recording is no longer kept. Its transcript is.",
	next: "Next hit",
	previous: "Previous hit",
	playHit: "Play the hit",
};
