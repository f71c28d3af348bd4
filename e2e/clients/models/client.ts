import type { AgentTools, Directive } from "@parley/sdk/runtime";
import type { ScriptedModel } from "@parley/testing/model-peers/scripted-model";

/** What came of one thing that a person said. */
export type Talk = { answer: string; directives: Directive[] };

/** A real client library, connected to an agent's tools and to a model. */
export type ModelClient = {
	/** Says something to the model and lets the library run the loop until the model has answered. */
	say: (text: string) => Promise<Talk>;
	stop?: () => Promise<void>;
};

export type StartModelClient = (runtime: AgentTools, model: ScriptedModel) => Promise<ModelClient>;

export const INSTRUCTIONS = "You serve Ada. Be brief.";
/** Turns after which a client gives up. */
export const MAX_STEPS = 6;
