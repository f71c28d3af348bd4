import type { ToolEvent } from "@parley/contracts/agents/attachments";
import type { z } from "zod";
import type { RuntimeAttachment } from "../in-force/runtime-attachment.ts";

type Event = z.infer<typeof ToolEvent>;
type Attachment = Pick<RuntimeAttachment, "attachmentId" | "system">;

/** Returns the attachments that an event of the call starts, in attachment order. */
export const startedBy = <A extends Attachment>(attachments: readonly A[], event: Event): A[] =>
	attachments.filter(({ system }) => system?.triggers.some((trigger) => trigger.event === event));

/** Returns the attachments that the end of another one starts, in attachment order. */
export const chainedBy = <A extends Attachment>(
	attachments: readonly A[],
	source: Attachment,
	hasSucceeded: boolean,
): A[] => {
	const event = hasSucceeded ? "tool_succeeded" : "tool_failed";
	return attachments.filter(({ system }) =>
		system?.triggers.some(
			(trigger) => trigger.event === event && trigger.source_attachment_id === source.attachmentId,
		),
	);
};

/**
 * Runs the attachments that an event starts, one after another, then those chained to them, level by level. Each runs at most
 * once, whichever of its triggers comes first.
 * @param run returns whether the tool succeeded
 */
export async function runEvent<A extends Attachment>(
	attachments: readonly A[],
	event: Event,
	run: (attachment: A) => Promise<boolean>,
): Promise<void> {
	const queue = startedBy(attachments, event);
	const planned = new Set(queue.map(({ attachmentId }) => attachmentId));
	for (const attachment of queue) {
		const hasSucceeded = await run(attachment);
		for (const next of chainedBy(attachments, attachment, hasSucceeded)) {
			if (planned.has(next.attachmentId)) continue;
			planned.add(next.attachmentId);
			queue.push(next);
		}
	}
}
