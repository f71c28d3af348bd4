// The reference page of error codes, made from the closed tables in packages/contracts.
import {
	AGENTS_ERRORS,
	BATCH_ERRORS,
	type ErrorCode,
	type ErrorRule,
	PLATFORM_ERRORS,
} from "@parley/contracts/shared/error-codes";
import { ERROR_DESCRIPTIONS } from "@parley/contracts/shared/error-descriptions";

/** Returns the page in Markdown. */
export function errorCodesPage(): string {
	const table = (rules: Record<string, ErrorRule>) =>
		Object.entries(rules)
			.sort(([a], [b]) => a.localeCompare(b))
			.map(
				([code, { status, retryable }]) =>
					`| \`${code}\` | ${status} | ${retryable ? "yes" : "no"} | ${ERROR_DESCRIPTIONS[code as ErrorCode].when} |`,
			)
			.join("\n");
	const head = "| Code | Status | Retryable | Cause and remedy |\n| --- | --- | --- | --- |";
	return `# Error codes

Made by \`node scripts/run.mjs docs\` from the closed tables in the code.

The agents plane and the platform host answer errors as
\`{detail, error: {code, message, retryable, request_id, fields?, blockers?}}\`. \`fields\` has an entry \`{path, message}\` per wrong field. The batch API
answers \`{error: "<message>"}\`. The header \`x-request-id\` is on every answer.

\`retryable\` says whether the same request may succeed later. Wait for \`Retry-After\` where there is one, otherwise a second, and twice as long after each
attempt.

## Agents plane

${head}
${table(AGENTS_ERRORS)}

## Platform host

${head}
${table(PLATFORM_ERRORS)}

## Batch API

The code is not part of the answer. It decides the status.

${head}
${table(BATCH_ERRORS)}
`;
}
