import type { McpCallOutcome, ProgressNotice } from "@parley/contracts/internal/mcp-client-rpc";
import { newId } from "@parley/db/id";
import { BudgetExceeded } from "@parley/json-schema/budget";
import { SchemaError, validate } from "@parley/json-schema/validate";
import type { Ctx } from "../../../context.ts";
import { mcpClientOf } from "../../../mcp-servers/mcp-client.ts";
import { checkOutput } from "../../../runs/output.ts";
import type { McpAttachment } from "../../in-force/runtime-attachment.ts";
import { CallFailure } from "./call-failure.ts";
import { argumentsOf, type OpenedCall } from "./call-input.ts";
import { type CallOutcome, failedWith, rejected, succeededWith } from "./call-outcome.ts";

/**
 * Calls a tool of an MCP server.
 * @throws CallFailure for a tool that is not as it was pinned, and for a session that answers from mocks
 */
export async function callMcpTool(
	ctx: Ctx,
	{ serverId, toolName, tool, serverStatus, name }: McpAttachment,
	call: OpenedCall,
): Promise<CallOutcome> {
	if (serverStatus === null)
		throw new CallFailure("MCP_SERVER_FAILED", `The MCP server of the tool ${name} was deleted`);
	if (!tool)
		throw new CallFailure("MCP_TOOL_DRIFTED", `${name} has changed on its server since it was attached`);
	if (call.session?.mocks)
		throw new CallFailure(
			"MOCK_MISSING",
			"The session answers from mocks, and tools of MCP servers have none",
		);
	const args = argumentsOf(call);
	const invalid = invalidArguments(tool.input_schema, args, call);
	if (invalid) return invalid;
	const { deadline, vault, onProgress } = call;
	const ref = { organisationId: ctx.actor.organisation.id, serverId };
	const client = mcpClientOf(ctx);
	const callId = newId();
	const cancel = () => ctx.defer(client.cancelTool(ref, callId));
	deadline.signal.addEventListener("abort", cancel, { once: true });
	try {
		const request = {
			...{ callId, name: toolName, inputSchema: tool.input_schema },
			...{ arguments: args, timeoutMs: deadline.remainingMs() },
		};
		const notify =
			onProgress && ((progress: ProgressNotice) => onProgress(scrubbed(progress, vault.scrubber)));
		return toOutcome(await deadline.race(client.callTool(ref, request, notify)), vault.scrubber);
	} finally {
		deadline.signal.removeEventListener("abort", cancel);
	}
}

type JsonSchema = Record<string, unknown>;
type Scrubber = OpenedCall["vault"]["scrubber"];

/** Checks what the model gave. A schema of a draft that Parley does not know is left to the server. */
function invalidArguments(
	schema: JsonSchema,
	args: Record<string, unknown>,
	{ fixed, vault }: OpenedCall,
): CallOutcome | undefined {
	try {
		const issues = validate(schema, args);
		if (issues.length === 0) return undefined;
		return rejected(
			issues.map(({ path, message }) => {
				const root = Object.hasOwn(fixed, String(path[0])) ? "argument_defaults" : "sample_input";
				return { path: [root, ...path].join("."), message: vault.scrubber.text(message) };
			}),
		);
	} catch (error) {
		if (error instanceof SchemaError) return undefined;
		if (!(error instanceof BudgetExceeded)) throw error;
		const message = `${error.message}. Send a smaller value.`;
		return rejected([{ path: ["sample_input", ...error.path].join("."), message }]);
	}
}

function toOutcome(answer: McpCallOutcome, { text, json }: Scrubber): CallOutcome {
	switch (answer.kind) {
		case "result": {
			if (!answer.isError) {
				const { output } = checkOutput(json(answer.structured ?? outputOf(answer.content)), null);
				return succeededWith({ output });
			}
			const said = textsOf(answer.content).join("\n");
			return failedWith({ code: "MCP_TOOL_ERROR", message: text(said || "The tool reports an error") });
		}
		case "circuit_open":
			return failedWith({ code: "MCP_CIRCUIT_OPEN", message: text(answer.message) });
		case "failed":
			return failedWith({
				code: answer.code === "timeout" ? "TIMED_OUT" : "MCP_SERVER_FAILED",
				message: text(answer.message),
			});
	}
}

type Content = Extract<McpCallOutcome, { kind: "result" }>["content"];

/** Returns content as an output: its text where there is nothing else. */
function outputOf(content: Content): unknown {
	const texts = textsOf(content);
	if (texts.length === content.length) return { text: texts.join("\n") };
	return { content };
}

const textsOf = (content: Content): string[] =>
	content.flatMap((part) => (part.type === "text" && typeof part.text === "string" ? [part.text] : []));

const scrubbed = ({ message, ...progress }: ProgressNotice, { text }: Scrubber): ProgressNotice => ({
	...progress,
	...(message !== undefined && { message: text(message) }),
});
