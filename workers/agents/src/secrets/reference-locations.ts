import { ApiError } from "@parley/contracts/shared/api-error";
import { collectVaultReferences } from "@parley/templates/references";

/** One use of a vault name; `location` is a dotted path in the holder's wire form. */
export type Reference = { name: string; location: string };

/** What may hold references, in wire form. A version holds what its resource held. */
export type HolderContent =
	| { type: "agent" | "agent_version"; config: object }
	| {
			type: "tool" | "tool_version";
			config: object;
			argument_defaults: object;
			declared_secrets: readonly string[];
	  }
	| { type: "mcp_server"; url_template: string; auth: object; headers: readonly object[] };

/** The secrets that sending an SMS needs, whatever its attachment says. */
const SMS_SECRETS = ["SMS_ACCOUNT_ID", "SMS_AUTH_TOKEN"] as const;

/** Members of a holder that are names, prose for people or schemas: never expanded, so a token in them means nothing. */
const NOT_TEMPLATED = {
	agent: new Set(["name", "description", "language", "region", "status"]),
	tool: new Set(["type", "auth", "headers", "parameters", "output_schema"]),
};

/** The index of references is written in one statement, which has room for so many. */
const MAX_REFERENCES = 2_000;
/** Of a longer path the beginning is kept: deep within a value of the holder's own making. */
const MAX_LOCATION = 512;

/**
 * Every vault name that a holder uses, at every place that may hold one.
 * @throws ApiError VALIDATION_FAILED for more than 2,000 of them.
 */
export function referencesOf(holder: HolderContent): Reference[] {
	switch (holder.type) {
		case "agent":
		case "agent_version":
			return distinct(inTexts(omit(holder.config, NOT_TEMPLATED.agent), ""));
		case "tool":
		case "tool_version":
			return distinct([
				...inTexts(omit(holder.config, NOT_TEMPLATED.tool), "config"),
				...inCredentials(holder.config, "config"),
				...inTexts(holder.argument_defaults, "argument_defaults"),
				...holder.declared_secrets.map((name, i) => ({ name, location: `declared_secrets.${i}` })),
				...builtIn(holder.config),
			]);
		case "mcp_server":
			return distinct([...inTexts(holder.url_template, "url_template"), ...inCredentials(holder, "")]);
	}
}

/** Names in every string of a JSON value. */
function* inTexts(value: unknown, location: string): Generator<Reference> {
	if (typeof value === "string") {
		for (const { name } of collectVaultReferences(value)) yield { name, location };
	} else if (typeof value === "object" && value !== null) {
		for (const [key, member] of Object.entries(value)) yield* inTexts(member, join(location, key));
	}
}

/** `auth` and `headers`: a `secret_name` names an entry outright, a literal header value may hold tokens. */
function inCredentials(holder: { auth?: unknown; headers?: unknown }, location: string): Reference[] {
	const headers = Array.isArray(holder.headers) ? holder.headers : [];
	return [
		...secretName(holder.auth, join(location, "auth")),
		...headers.flatMap((header: unknown, i) => [
			...secretName(header, join(location, `headers.${i}`)),
			...inTexts(member(header, "value"), join(location, `headers.${i}.value`)),
		]),
	];
}

function secretName(value: unknown, location: string): Reference[] {
	const name = member(value, "secret_name");
	return typeof name === "string" ? [{ name, location: join(location, "secret_name") }] : [];
}

const builtIn = (config: object): Reference[] =>
	member(config, "type") === "send_sms" ? SMS_SECRETS.map((name) => ({ name, location: "config.type" })) : [];

const member = (value: unknown, key: string): unknown =>
	typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;

const omit = (value: object, keys: ReadonlySet<string>): object =>
	Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)));

const join = (base: string, key: string): string => (base ? `${base}.${key}` : key).slice(0, MAX_LOCATION);

function distinct(references: Iterable<Reference>): Reference[] {
	const seen = new Map<string, Reference>();
	for (const reference of references) {
		seen.set(`${reference.name} ${reference.location}`, reference);
		if (seen.size > MAX_REFERENCES)
			throw new ApiError("VALIDATION_FAILED", `More than ${MAX_REFERENCES} places refer to the vault`);
	}
	return [...seen.values()];
}
