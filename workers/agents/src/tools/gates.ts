import type { ToolType } from "@parley/contracts/tool-config";
import type { Gate, GateStatus, PublishResult, StaticGates } from "@parley/contracts/tools";
import { configProblem } from "./config-rules.ts";
import { secretNames, type ToolContent } from "./tool-content.ts";

/** What the gates judge: a tool's content and what has happened to it. */
export type GateFacts = ToolContent & {
	contentHash: string;
	provenHash: string | null;
	buildState: "not_built" | "building" | "built" | "failed" | null;
	buildDetail: string | null;
	builtHash: string | null;
	/** Which of the tool's secrets exist in the vault. */
	existingSecrets: readonly string[];
};

/** Types that act on the live call, so that nothing but their configuration can be judged beforehand. */
const CONTEXT_BOUND: ReadonlySet<ToolType> = new Set([
	"end_call",
	"voicemail_detection",
	"transfer_call",
	"send_sms",
	"user_phone_number",
]);

export const isContextBound = (type: ToolType): boolean => CONTEXT_BOUND.has(type);

/** The gates as a tool shows them. */
export function gateStatus(facts: GateFacts): GateStatus {
	if (isContextBound(facts.toolType)) return onlyConfigValid(facts);
	const isCode = facts.toolType === "code";
	return {
		static: staticGates(facts),
		green_run: { passed: facts.provenHash === facts.contentHash, proven_hash: facts.provenHash },
		config_valid: isCode ? configValid(facts) : null,
		code_environment: isCode ? codeEnvironment(facts) : null,
		content_current: isCode ? contentCurrent(facts) : null,
	};
}

/** Of a type that is judged by its configuration alone, and of curated tools, whatever their type. */
export const onlyConfigValid = (content: ToolContent): GateStatus => ({
	static: null,
	green_run: null,
	config_valid: configValid(content),
	code_environment: null,
	content_current: null,
});

/** The gates that a tool has to pass to be published, by name. */
export function publishChecks(facts: GateFacts): PublishResult["checks"] {
	switch (facts.toolType) {
		case "code":
			return {
				...staticGates(facts),
				code_environment: codeEnvironment(facts),
				content_current: contentCurrent(facts),
				green_run: greenRun(facts),
			};
		case "api_request":
			return { ...staticGates(facts), green_run: greenRun(facts) };
		case "send_sms":
			return { config_valid: configValid(facts), secrets_exist: secretsExist(facts) };
		default:
			return { config_valid: configValid(facts) };
	}
}

const staticGates = (facts: GateFacts): StaticGates => ({
	config_valid: configValid(facts),
	secrets_exist: secretsExist(facts),
	// Held by a unique index, so a stored tool has always passed it.
	name_unique: gate(true),
	...(facts.toolType === "code" && { parse: sourceRead(facts), schema: sourceRead(facts) }),
});

const configValid = (content: ToolContent): Gate => {
	const problem = configProblem(content);
	return gate(problem === undefined, problem);
};

function secretsExist(facts: GateFacts): Gate {
	const missing = secretNames(facts).filter((name) => !facts.existingSecrets.includes(name));
	return gate(missing.length === 0, `No such secret: ${missing.join(", ")}`);
}

const greenRun = ({ contentHash, provenHash }: GateFacts): Gate =>
	gate(contentHash === provenHash, "No good run of the present content");

/** Building reads the source, so what is built has passed. */
const sourceRead = (facts: GateFacts): Gate =>
	gate(
		facts.builtHash === facts.contentHash && facts.buildState === "built",
		facts.builtHash === facts.contentHash ? facts.buildDetail : "Not read since the last change",
	);

function codeEnvironment({ buildState, buildDetail }: GateFacts): Gate {
	return gate(buildState === "built", buildDetail ?? `The code is ${buildState ?? "not_built"}`);
}

const contentCurrent = ({ builtHash, contentHash }: GateFacts): Gate =>
	gate(builtHash === contentHash, "The content changed after it was built");

const gate = (passed: boolean, detail?: string | null): Gate => ({
	passed,
	detail: passed ? null : (detail ?? null),
});
