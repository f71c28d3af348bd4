import { PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";

export const isSourceTooLarge = (source: string): boolean =>
	source.length > PYTHON_LIMITS.sourceBytes ||
	new TextEncoder().encode(source).length > PYTHON_LIMITS.sourceBytes;

export const clampTimeout = (ms: number): number =>
	Math.min(Math.max(Math.round(ms), 100), PYTHON_LIMITS.maxTimeoutMs);
