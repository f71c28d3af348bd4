// How the job screen behaves with an hour of speech, and with ten hours and 100,000 words. The words are made up; the recording
// and its peaks come from the stack.
import type { Transcript } from "@parley/contracts/batch/transcript";
import type { CDPSession, Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { api, ensureUpload } from "./api.ts";
import { baseUrl, test } from "./browser/test.ts";

const HOUR_S = 3_600;
/** Samples a second, the fewest that a browser plays. */
const RATE = 4_000;
const WORDS =
	"please send the order on monday because we have received your payment for all of the books".split(" ");

beforeAll(() => ensureUpload("longhour", "hour.wav", quietWav(HOUR_S)), 180_000);

describe("an hour of speech", () => {
	test("is shown at once and costs little while it plays", async ({ untraced: page }) => {
		await serveWords(page, HOUR_S, 9_600);
		const metrics = await meter(page);
		const startedAt = performance.now();
		await page.goto(`${baseUrl}/jobs/longhour`);
		await page.locator("[data-p]").first().waitFor();
		const firstWordMs = performance.now() - startedAt;
		await page.getByRole("button", { name: "Play", exact: true }).click();
		await page.waitForFunction(() => document.querySelector("section time")?.textContent === "0:01");
		const before = await metrics();
		await page.waitForTimeout(5_000);
		const after = await metrics();
		const perSecond = ((after.ScriptDuration - before.ScriptDuration) * 1000) / 5;
		report("one hour", {
			firstWordMs,
			scriptMsPerSecond: perSecond,
			nodes: after.Nodes,
			heapMB: after.JSHeapUsedSize / 1e6,
		});
		expect(perSecond).toBeLessThan(20);
		expect(after.Nodes).toBeLessThan(8_000);
		expect(after.JSHeapUsedSize).toBeLessThan(80e6);
		expect(firstWordMs).toBeLessThan(10_000);
	});
});

describe("ten hours and 100,000 words", () => {
	test("stay smooth while they are scrolled and searched", async ({ untraced: page }) => {
		await serveWords(page, 10 * HOUR_S, 100_000);
		const metrics = await meter(page);
		const startedAt = performance.now();
		await page.goto(`${baseUrl}/jobs/longhour`);
		await page.locator("[data-p]").first().waitFor();
		const firstWordMs = performance.now() - startedAt;
		const atStart = await metrics();
		await page.evaluate(scrollThrough, STEPS);
		const scrolled = await metrics();
		const frameMs = ((scrolled.TaskDuration - atStart.TaskDuration) * 1_000) / STEPS;
		await page.keyboard.press("/");
		await page.keyboard.type("monday");
		await page.getByText(/^1 of /).waitFor();
		const found = await metrics();
		const letterMs = ((found.TaskDuration - scrolled.TaskDuration) * 1_000) / "monday".length;
		const { Nodes: nodes, JSHeapUsedSize } = found;
		report("ten hours", { firstWordMs, frameMs, letterMs, nodes, heapMB: JSHeapUsedSize / 1e6 });
		expect(frameMs).toBeLessThan(60);
		expect(letterMs).toBeLessThan(400);
		expect(nodes).toBeLessThan(30_000);
	});
});

/** Shows the figures in the report of the run. */
const report = (what: string, figures: Record<string, number>) =>
	process.stdout.write(
		`${what}: ${Object.entries(figures)
			.map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`)
			.join(", ")}\n`,
	);

const STEPS = 60;

/** Scrolls through the whole page, a frame a step. */
async function scrollThrough(steps: number): Promise<void> {
	for (let step = 1; step <= steps; step++) {
		window.scrollTo(0, (document.documentElement.scrollHeight * step) / steps);
		await new Promise(requestAnimationFrame);
	}
}

/** Makes the page believe that the recording is so long and has so many words. They are made in the page, without a transfer. */
async function serveWords(page: Page, seconds: number, count: number): Promise<void> {
	const real = await api<Transcript>("GET", "/v1/batch/jobs/longhour/transcript");
	await page.addInitScript(
		({ real, seconds, count, words }) => {
			const step = seconds / count;
			const results = Array.from({ length: count }, (_, at) => ({
				...{ type: "word", start_time: at * step, end_time: (at + 0.9) * step },
				alternatives: [
					{
						content: (words[(at * 7) % words.length] ?? "word") + (at % 14 === 13 ? "." : ""),
						...{ confidence: (at % 10) / 10, language: "en", speaker: `S${1 + (Math.floor(at / 90) % 2)}` },
					},
				],
			}));
			const transcript = JSON.stringify({ ...real, job: { ...real.job, duration: seconds }, results });
			const load = window.fetch.bind(window);
			window.fetch = async (input, init) => {
				const { pathname } = new URL(String(input), location.origin);
				if (pathname.endsWith("/longhour/transcript")) return new Response(transcript);
				const response = await load(input, init);
				if (!pathname.endsWith("/jobs/longhour")) return response;
				const job = await response.json();
				const input_metadata = { ...job.input_metadata, duration_seconds: seconds };
				return new Response(JSON.stringify({ ...job, input_metadata }));
			};
		},
		{ real, seconds, count, words: WORDS },
	);
}

/** Durations are seconds of the page's thread, so that other work of the machine does not count. */
type Metrics = { ScriptDuration: number; TaskDuration: number; Nodes: number; JSHeapUsedSize: number };

async function meter(page: Page): Promise<() => Promise<Metrics>> {
	const session: CDPSession = await page.context().newCDPSession(page);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	return async () => {
		const { metrics } = await session.send("Performance.getMetrics");
		return Object.fromEntries(metrics.map(({ name, value }) => [name, value])) as Metrics;
	};
}

/** Makes a WAV file of one channel and one byte a sample that is all but silent. */
function quietWav(seconds: number): Uint8Array {
	const size = seconds * RATE;
	const bytes = new Uint8Array(44 + size).fill(128);
	const view = new DataView(bytes.buffer);
	const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
	text(0, "RIFF");
	view.setUint32(4, 36 + size, true);
	text(8, "WAVEfmt ");
	view.setUint32(16, 16, true);
	view.setUint16(20, 1, true);
	view.setUint16(22, 1, true);
	view.setUint32(24, RATE, true);
	view.setUint32(28, RATE, true);
	view.setUint16(32, 1, true);
	view.setUint16(34, 8, true);
	text(36, "data");
	view.setUint32(40, size, true);
	return bytes;
}
