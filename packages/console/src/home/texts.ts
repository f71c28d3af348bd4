import { formatCount, formatLength } from "../ui/format.ts";

export const texts = {
	title: "Home",
	attention: "Needs attention",
	allGood: "Nothing needs your attention.",
	usage: "Last 30 days",
	usageHint: "Days in UTC",
	tiles: { audio: "Audio transcribed", jobs: "Jobs", requests: "API requests", runs: "Test runs" },
	audio: (seconds: number) => formatLength(seconds),
	chart: "Minutes of audio by day. The table below has the same figures.",
	chartTitle: "Audio by day",
	minutes: (minutes: string) => `${minutes} min`,
	table: "As a table",
	day: "Day",
	noUsage: "No audio was transcribed in these 30 days.",
	recent: "Recent jobs",
	allJobs: "All jobs",
	steps: {
		title: "First steps",
		hint: "Three things that take five minutes.",
		done: "Done",
		job: "Transcribe a recording",
		jobText: "Drop an audio or video file. Its words appear in step with the sound.",
		jobAction: "Choose a recording",
		key: "Create an API key",
		keyText: "One for each application that calls Parley. Give it only the scopes that it needs.",
		keyAction: "Create a key",
		call: "Call the API",
		callText: "Send a recording from your own code. Every operation is in the API reference.",
		callAction: "Open the reference",
		sample: (origin: string) => `curl ${origin}/v1/batch/jobs \\
  -H "Authorization: Bearer $PARLEY_API_KEY" \\
  -d '{"input_url": "https://example.com/interview.mp3"}'`,
		sampleLabel: "Example request",
	},
	failedJobs: (count: number) => `${formatCount(count, "job")} failed in the last 7 days`,
	servers: (names: string, count: number) =>
		count === 1 ? `MCP server ${names} does not work` : `MCP servers ${names} do not work`,
	serverStates: {
		unavailable: "Parley cannot reach it, or its credentials are refused.",
		invalid: "It answers outside the protocol.",
		circuit_open: "It failed repeatedly, so that Parley pauses its refreshes.",
	},
	failingTools: (names: string, count: number) =>
		count === 1 ? `Tool ${names} fails a gate` : `Tools ${names} fail a gate`,
	failingToolsText:
		"Its configuration is not valid, or its last test run failed. It cannot be published like this.",
	drift: (agents: string) => `An MCP tool of ${agents} has changed`,
	driftText: "Its definition differs from the pinned one. Compare and accept it.",
	expiringKeys: (names: string, count: number) =>
		count === 1 ? `Key ${names} expires soon` : `Keys ${names} expire soon`,
	expiredKey: "Calls with an expired key are refused.",
	credit: (left: string) => `${left} of audio left`,
	creditText: "Jobs that need more are refused.",
};
