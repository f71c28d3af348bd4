import type { BuildErrorCode } from "@parley/contracts/internal/python-rpc";

/** Why a pin cannot be used. `message` is for the tool's author. */
export class DependencyError extends Error {
	override readonly name = "DependencyError";
	readonly code: BuildErrorCode;
	/** Canonical pin that the fault is about. */
	readonly dependency: string | null;
	/** The pin that would cure it. */
	readonly suggestedPin: string | null;

	constructor(
		code: BuildErrorCode,
		message: string,
		dependency: string | null = null,
		suggestedPin: string | null = null,
	) {
		super(message);
		this.code = code;
		this.dependency = dependency;
		this.suggestedPin = suggestedPin;
	}
}
