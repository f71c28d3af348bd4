import type { ToolCallErrorCode } from "@parley/contracts/agents/tool-calls";

/** Reports why a call failed before or beside its tool's run. The call's answer contains it; it is no error of the service. */
export class CallFailure extends Error {
	override readonly name = "CallFailure";
	readonly code: ToolCallErrorCode;

	constructor(code: ToolCallErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}
