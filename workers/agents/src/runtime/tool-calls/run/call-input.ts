import type { RuntimeSession, RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import type { ProgressNotice } from "@parley/contracts/internal/mcp-client-rpc";
import type { Arguments } from "../../../runs/arguments.ts";
import type { OpenedVault } from "../../../runs/attempt-run.ts";
import type { AgentInForce, RuntimeAttachment } from "../../in-force/runtime-attachment.ts";
import type { CallDeadline } from "./call-deadline.ts";

/** One call of an attachment, by the model or by an event. */
export type CallInput = {
	id: string;
	agent: Pick<AgentInForce, "config">;
	attachment: RuntimeAttachment;
	/** Arguments from the model. */
	given: Arguments;
	variables: RuntimeVariables;
	session: RuntimeSession | undefined;
	deadline: CallDeadline;
	onProgress?: ((progress: ProgressNotice) => void) | undefined;
	/** Called with the arguments from the model as they may be recorded, as soon as it is known what to redact. */
	onScrubbed: (given: Arguments) => void;
};

/** A call whose vault entries are open and whose fixed arguments are rendered. */
export type OpenedCall = CallInput & { vault: OpenedVault; fixed: Arguments };

/** Returns all arguments but the tool's own defaults. Fixed ones replace the model's, and come first as defaults do. */
export const argumentsOf = ({ given, fixed }: Pick<OpenedCall, "given" | "fixed">): Arguments => ({
	...fixed,
	...given,
	...fixed,
});
