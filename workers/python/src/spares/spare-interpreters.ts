import { DurableObject } from "cloudflare:workers";
import { PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";
import { contextOf } from "../context.ts";
import { loadWheels } from "../dependencies/wheel-store.ts";
import type { SandboxCall } from "../isolate/runner.ts";
import { takePlace, takeSparePlace } from "../places.ts";
import { answerInTime, type SpareGuest, startGuest } from "../sandbox.ts";
import type { Recipe } from "./recipe.ts";

/** A tool that takes longer to import has no spare interpreters. */
const IMPORT_TIMEOUT_MS = 2_000;
/** Time after which a spare that found no room tries again. */
const RETRY_MS = 250;

type Spare = {
	/** Undefined when it could not be started or was dropped. */
	guest: Promise<SpareGuest | undefined>;
	leave: () => void;
	drop: () => void;
};

type Tool = {
	recipe: Recipe;
	spare: Spare | undefined;
	/** The recipe failed: it has no spare until it is forgotten. */
	isUnfit: boolean;
	expiry: number | null;
	retry: number | null;
};

const newTool = (recipe: Recipe): Tool => ({
	...{ recipe, spare: undefined, isUnfit: false, expiry: null, retry: null },
});

/**
 * Spare interpreters of one organisation: at most one for each of the tools that it called last, started after a call and
 * used for the next one. Only a Durable Object can hold a stub from one request to another. Its memory is all that it has;
 * whatever is lost costs the next call its head start.
 */
export class SpareInterpreters extends DurableObject<Env> {
	#sandbox = contextOf(this.env);
	/** By key, least recently called first. */
	#tools = new Map<string, Tool>();

	/** Runs a call in the tool's spare interpreter and returns the guest's answer; null if there is no spare. */
	async run(key: string, call: SandboxCall): Promise<unknown> {
		const tool = this.#tools.get(key);
		if (!tool) return null;
		const { spare } = tool;
		tool.spare = undefined;
		this.#touch(key, tool);
		const guest = await spare?.guest;
		spare?.leave();
		try {
			return guest ? await runOnce(guest, call, this.#sandbox.maxLiveSandboxes) : null;
		} finally {
			this.#restock(tool);
		}
	}

	/** Keeps a spare interpreter for the next call of a tool that was just called. */
	keep(key: string, recipe: Recipe): void {
		this.#touch(key, this.#tools.get(key) ?? newTool(recipe));
		for (const oldest of this.#tools.keys())
			if (this.#tools.size > this.#sandbox.sparesPerOrganisation) this.#forget(oldest);
		const kept = this.#tools.get(key);
		if (kept) this.#restock(kept);
	}

	#touch(key: string, tool: Tool): void {
		this.#tools.delete(key);
		this.#tools.set(key, tool);
		clearTimeout(tool.expiry);
		tool.expiry = setTimeout(() => this.#forget(key), this.#sandbox.spareMs);
	}

	#forget(key: string): void {
		const tool = this.#tools.get(key);
		if (!tool) return;
		this.#tools.delete(key);
		clearTimeout(tool.expiry);
		clearTimeout(tool.retry);
		tool.spare?.drop();
	}

	#restock(tool: Tool): void {
		clearTimeout(tool.retry);
		const isForgotten = ![...this.#tools.values()].includes(tool);
		if (tool.spare || tool.isUnfit || isForgotten) return;
		const spare = this.#start(tool);
		if (spare) tool.spare = spare;
		else tool.retry = setTimeout(() => this.#restock(tool), RETRY_MS);
	}

	/** Starts a spare; undefined when there is no room for one now. */
	#start(tool: Tool): Spare | undefined {
		const dropped = Promise.withResolvers<undefined>();
		const { maxLiveSandboxes: max, maxSpareSandboxes: maxSpares } = this.#sandbox;
		// A run of another request may call this, so it only says what is to be done here.
		const drop = () => dropped.resolve(undefined);
		const leave = takeSparePlace({ max, maxSpares }, drop);
		if (!leave) return undefined;
		const prepared = this.#prepare(tool.recipe).catch(() => {
			tool.isUnfit = true;
			return undefined;
		});
		const spare = { guest: Promise.race([prepared, dropped.promise]), leave, drop };
		dropped.promise.then(async () => {
			leave();
			if (tool.spare === spare) tool.spare = undefined;
			(await prepared)?.[Symbol.dispose]();
		});
		prepared.then((guest) => {
			if (guest) return;
			leave();
			if (tool.spare === spare) tool.spare = undefined;
		});
		return spare;
	}

	async #prepare({ source, frozenDeps, importsAhead }: Recipe): Promise<SpareGuest> {
		const wheels = await loadWheels(this.#sandbox.wheels, frozenDeps);
		const guest = startGuest(this.#sandbox, { wheels, cpuMs: PYTHON_LIMITS.maxTimeoutMs });
		const preparation = { source: importsAhead ? source : null, timeoutMs: IMPORT_TIMEOUT_MS };
		return answerInTime(guest.prepare(preparation), IMPORT_TIMEOUT_MS);
	}
}

/** Runs one call in a spare and disposes of it. The place that the spare held must be free already. */
async function runOnce(guest: SpareGuest, call: SandboxCall, maxPlaces: number): Promise<unknown> {
	const leave = takePlace(maxPlaces);
	try {
		return await answerInTime(guest.call(call), call.timeoutMs);
	} finally {
		leave();
		guest[Symbol.dispose]();
	}
}
