import { ApiError } from "@parley/contracts/shared/api-error";
import { collectVaultReferences } from "@parley/templates/references";

/** Use of a vault name. `location` is a dotted path in the holder's wire form. */
export type Reference = { name: string; location: string };

/** Wire form of a resource that may refer to the vault. A version has the content of its resource at publication. */
export type HolderContent =
	| { type: "agent" | "agent_version"; config: object }
	| {
			type: "tool" | "tool_version";
			config: object;
			argument_defaults: object;
			declared_secrets: readonly string[];
	  }
	| { type: "mcp_server"; url_template: string; auth: object; headers: readonly object[] };

/** Secrets that every SMS needs. */
const SMS_SECRETS = ["SMS_ACCOUNT_ID", "SMS_AUTH_TOKEN"] as const;

/** Members that are never expanded as templates (names, descriptions, schemas), so a token in them is not a reference. */
const NOT_TEMPLATED = {
	agent: new Set(["name", "description", "language", "region", "status"]),
	tool: new Set(["type", "auth", "headers", "parameters", "output_schema"]),
};

/** Maximum number of references of one holder. The index is written in a single statement. */
const MAX_REFERENCES = 2_000;
/** Maximum length of a location. A longer one is cut. */
const MAX_LOCATION_CHARS = 512;

/**
 * Returns every use of a vault name in a holder, with its location.
 * @throws ApiError VALIDATION_FAILED for more than 2,000 uses.
 */
export function referencesOf(holder: HolderContent): Reference[] {
	switch (holder.type) {
		case "agent":
		case "agent_version":
			return distinct(referencesInTexts(omit(holder.config, NOT_TEMPLATED.agent), ""));
		case "tool":
		case "tool_version":
			return distinct([
				...referencesInTexts(omit(holder.config, NOT_TEMPLATED.tool), "config"),
				...referencesInCredentials(holder.config, "config"),
				...referencesInTexts(holder.argument_defaults, "argument_defaults"),
				...holder.declared_secrets.map((name, i) => ({ name, location: `declared_secrets.${i}` })),
				...builtInReferences(holder.config),
			]);
		case "mcp_server":
			return distinct([
				...referencesInTexts(holder.url_template, "url_template"),
				...referencesInCredentials(holder, ""),
			]);
	}
}

/** Yields the vault names in every string of a JSON value. */
function* referencesInTexts(value: unknown, location: string): Generator<Reference> {
	if (typeof value === "string") {
		for (const { name } of collectVaultReferences(value)) yield { name, location };
	} else if (typeof value === "object" && value !== null) {
		for (const [key, member] of Object.entries(value)) yield* referencesInTexts(member, join(location, key));
	}
}

/** Returns the vault names in `auth` and `headers`: each `secret_name`, and tokens in literal header values. */
function referencesInCredentials(
	holder: { auth?: unknown; headers?: unknown },
	location: string,
): Reference[] {
	const headers = Array.isArray(holder.headers) ? holder.headers : [];
	return [
		...secretNameReference(holder.auth, join(location, "auth")),
		...headers.flatMap((header: unknown, i) => [
			...secretNameReference(header, join(location, `headers.${i}`)),
			...referencesInTexts(member(header, "value"), join(location, `headers.${i}.value`)),
		]),
	];
}

function secretNameReference(value: unknown, location: string): Reference[] {
	const name = member(value, "secret_name");
	return typeof name === "string" ? [{ name, location: join(location, "secret_name") }] : [];
}

const builtInReferences = (config: object): Reference[] =>
	member(config, "type") === "send_sms" ? SMS_SECRETS.map((name) => ({ name, location: "config.type" })) : [];

const member = (value: unknown, key: string): unknown =>
	typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;

const omit = (value: object, keys: ReadonlySet<string>): object =>
	Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)));

const join = (base: string, key: string): string =>
	(base ? `${base}.${key}` : key).slice(0, MAX_LOCATION_CHARS);

function distinct(references: Iterable<Reference>): Reference[] {
	const seen = new Map<string, Reference>();
	for (const reference of references) {
		seen.set(`${reference.name} ${reference.location}`, reference);
		if (seen.size > MAX_REFERENCES)
			throw new ApiError(
				"VALIDATION_FAILED",
				`The configuration refers to the vault in more than ${MAX_REFERENCES} places`,
			);
	}
	return [...seen.values()];
}
