import { expect, test } from "vitest";
import { runEvent } from "./run-event.ts";

type Trigger = {
	event: "call_start" | "call_end" | "tool_succeeded" | "tool_failed";
	source_attachment_id?: string;
};

const attachment = (attachmentId: string, ...triggers: Trigger[]) => ({
	attachmentId,
	system: { triggers, arguments: {} },
});
const after = (source_attachment_id: string): Trigger => ({ event: "tool_succeeded", source_attachment_id });
const afterFailure = (source_attachment_id: string): Trigger => ({
	event: "tool_failed",
	source_attachment_id,
});

/** Returns the ids of the attachments that run, in order. */
async function order(
	attachments: ReturnType<typeof attachment>[],
	failing: string[] = [],
): Promise<string[]> {
	const ran: string[] = [];
	await runEvent(attachments, "call_start", async ({ attachmentId }) => {
		ran.push(attachmentId);
		return !failing.includes(attachmentId);
	});
	return ran;
}

test("an event starts its attachments in order, then those chained to them", async () => {
	const attachments = [
		attachment("d", after("b")),
		attachment("a", { event: "call_start" }),
		attachment("x", { event: "call_end" }),
		attachment("b", { event: "call_start" }),
		attachment("c", after("a")),
		attachment("e", after("d")),
	];
	expect(await order(attachments)).toEqual(["a", "b", "c", "d", "e"]);
});

test("a failure starts only the attachments that wait for it", async () => {
	const attachments = [
		attachment("a", { event: "call_start" }),
		attachment("good", after("a")),
		attachment("bad", afterFailure("a")),
	];
	expect(await order(attachments)).toEqual(["a", "good"]);
	expect(await order(attachments, ["a"])).toEqual(["a", "bad"]);
});

test("an attachment with several triggers runs once", async () => {
	const attachments = [
		attachment("a", { event: "call_start" }),
		attachment("b", { event: "call_start" }, after("a")),
		attachment("c", after("a"), after("b"), afterFailure("b")),
	];
	expect(await order(attachments)).toEqual(["a", "b", "c"]);
});

test("a chain that leads back to itself ends", async () => {
	const attachments = [attachment("a", { event: "call_start" }, after("b")), attachment("b", after("a"))];
	expect(await order(attachments)).toEqual(["a", "b"]);
});
