import { endOfJob } from "@parley/batch/job-end";
import { expect, inject, test, vi } from "vitest";
import { deliverHooks, insertDelivery, messageOf, readDelivery } from "../test/hooks.ts";
import { createPipeline, fetchMessage, insertJob, read } from "../test/pipeline.ts";
import { wav } from "../test/wav.ts";

/** A pipeline that asks a real resolver, and a network that has a recording everywhere. */
function createResolving(EGRESS_RESOLVER = inject("resolver")) {
	const send = vi.fn<typeof fetch>(async () => new Response(wav(1)));
	return { send, pipeline: createPipeline({ fetch: send }, { EGRESS_RESOLVER }) };
}

async function fetched(inputUrl: string, attempt = 1) {
	const { send, pipeline } = createResolving();
	const row = await insertJob({ inputUrl });
	const told = await pipeline.deliver([fetchMessage(row)], attempt);
	return { send, told, job: await read(row) };
}

test.each(["private", "mapped", "mixed", "alias"])(
	"an input at %s.example, which has a private address, is not asked for",
	async (name) => {
		const { send, job } = await fetched(`https://${name}.example/a.wav`);
		expect(send).not.toHaveBeenCalled();
		expect(job).toMatchObject({ status: "FAILED", error: { code: "input_blocked_address" } });
	},
);

test("an input whose host has public addresses is fetched", async () => {
	const { send, job } = await fetched("https://public.example/a.wav");
	expect(send).toHaveBeenCalledOnce();
	expect(job.inputKey).toMatch(/a\.wav$/);
});

test("an input waits for a resolver that does not answer", async () => {
	const { send, told, job } = await fetched("https://broken.example/a.wav");
	expect(send).not.toHaveBeenCalled();
	expect(told.retryMessages).toHaveLength(1);
	expect(job.status).not.toBe("FAILED");
});

test.each([
	["private.example", "failed", "The address is not a public one"],
	["broken.example", "pending", "The host name could not be checked: the resolver did not answer"],
	["public.example", "delivered", null],
])("a notification to %s is %s", async (host, status, error) => {
	const { send, pipeline } = createResolving();
	const job = await insertJob({ status: "DONE", ...endOfJob(new Date(), 7) });
	const delivery = await insertDelivery(pipeline, job, {
		...{ url: `https://${host}/h`, status: "pending", dueAt: new Date().toISOString() },
	});
	await deliverHooks(pipeline, [messageOf(delivery)]);
	expect(send).toHaveBeenCalledTimes(status === "delivered" ? 1 : 0);
	expect(await readDelivery(delivery)).toMatchObject({ status, attempts: [{ error }] });
});

declare module "vitest" {
	interface ProvidedContext {
		/** URL of a loopback resolver that knows the names of `ZONE` in `packages/egress/test/doh-server.ts`. */
		resolver: string;
	}
}
