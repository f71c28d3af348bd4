import type { ToolType } from "@parley/contracts/agents/tool-config";
import type { Gate, GateStatus, PublishResult, StaticGates } from "@parley/contracts/agents/tools";
import type { PythonGate } from "@parley/contracts/internal/python-rpc";
import { type BuildRecord, gateErrors, introspectedSchema } from "../builds/build-record.ts";
import { secretNames, templateNames } from "../tool-content.ts";
import { type ConfigFacts, configProblems } from "./config-rules.ts";

/** The facts that gates depend on: a tool's content, its build and its proof. */
export type GateFacts = ConfigFacts & BuildRecord & { contentHash: string; provenHash: string | null };

/** Types that act on a live call, so only their configuration can be checked in advance. */
const CONTEXT_BOUND: ReadonlySet<ToolType> = new Set([
	"end_call",
	"voicemail_detection",
	"transfer_call",
	"send_sms",
	"user_phone_number",
]);

export const isContextBound = (type: ToolType): boolean => CONTEXT_BOUND.has(type);

/** Returns the gates as a tool shows them. */
export function gateStatus(facts: GateFacts): GateStatus {
	if (isContextBound(facts.toolType)) return onlyConfigValid(facts);
	const isCode = facts.toolType === "code";
	return {
		static: staticGates(facts),
		green_run: { passed: facts.provenHash === facts.contentHash, proven_hash: facts.provenHash },
		config_valid: isCode ? configValid(facts, introspectedSchema(facts)) : null,
		code_environment: isCode ? codeEnvironment(facts) : null,
		content_current: isCode ? contentCurrent(facts) : null,
	};
}

/** Returns the gates of a type of which only the configuration is checked. */
const onlyConfigValid = (facts: ConfigFacts): GateStatus => ({
	...NO_GATES,
	config_valid: configValid(facts, null),
});

const NO_GATES = {
	...{ static: null, green_run: null, config_valid: null, code_environment: null, content_current: null },
};

/** Gates of a curated tool of any type: its configuration is valid. */
export const CURATED_GATES: GateStatus = { ...NO_GATES, config_valid: { passed: true, detail: null } };

/** Returns the gates that a tool must pass to be published, by name. */
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
			return { config_valid: configValid(facts, null), secrets_exist: secretsExist(facts) };
		default:
			return { config_valid: configValid(facts, null) };
	}
}

const staticGates = (facts: GateFacts): StaticGates => ({
	config_valid: configValid(facts, introspectedSchema(facts)),
	secrets_exist: secretsExist(facts),
	// A unique index guarantees this for every stored tool.
	name_unique: gate(true),
	...(facts.toolType === "code" && { parse: sourceWasParsed(facts), schema: schemaWasRead(facts) }),
});

const configValid = (facts: ConfigFacts, introspected: BuildRecord["argSchema"]): Gate => {
	const problems = configProblems(facts, introspected);
	return gate(problems.length === 0, problems.join("; "));
};

function secretsExist(facts: GateFacts): Gate {
	const names = secretNames(facts);
	const missing = names.filter((name) => facts.vaultKinds[name] === undefined);
	const variables = names.filter((name) => facts.vaultKinds[name] === "variable");
	const entries = templateNames(facts).filter((name) => facts.vaultKinds[name] === undefined);
	const problems = [
		...(missing.length > 0 ? [`Secret not found: ${missing.join(", ")}`] : []),
		...(entries.length > 0 ? [`Vault entry not found: ${entries.join(", ")}`] : []),
		...variables.map((name) => `${name} is a variable, not a secret`),
	];
	return gate(problems.length === 0, problems.join("; "));
}

const greenRun = ({ contentHash, provenHash }: GateFacts): Gate =>
	gate(contentHash === provenHash, "No successful run of the current content");

/** Passes if only the arguments failed, too: a build reads them last, so it has understood the source. */
function sourceWasParsed(facts: GateFacts): Gate {
	const onlySchemaFailed = facts.buildErrors?.every((error) => error.gate === "schema") ?? false;
	return gate(facts.buildState === "built" || onlySchemaFailed, unread(facts, "parse"));
}

const schemaWasRead = (facts: GateFacts): Gate => gate(facts.buildState === "built", unread(facts, "schema"));

/** Describes why a part of the source was not read. */
const unread = ({ buildErrors, buildState }: GateFacts, name: PythonGate): string =>
	gateErrors(buildErrors, name) ??
	(buildState === "failed" ? "Not reached: the build failed earlier" : "Not built since the last change");

function codeEnvironment({ buildState, buildErrors }: GateFacts): Gate {
	const reason = gateErrors(buildErrors, "code_environment") ?? CODE_STATES[buildState ?? "not_built"];
	return gate(buildState === "built", reason);
}

const CODE_STATES = {
	not_built: "The code is not built",
	building: "The code is being built",
	built: null,
	failed: "The build failed",
} as const;

const contentCurrent = ({ builtHash, sourceHash }: GateFacts): Gate =>
	gate(
		builtHash === sourceHash,
		builtHash === null ? "The code is not built" : "The code changed after it was built",
	);

const gate = (passed: boolean, detail?: string | null): Gate => ({
	passed,
	detail: passed ? null : (detail ?? null),
});
