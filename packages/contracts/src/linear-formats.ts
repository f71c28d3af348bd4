/**
 * The formats of JSON Schema that `@cfworker/json-schema` checks in time in proportion to the text. All others are
 * annotations, as every format is by default.
 */
export const LINEAR_FORMATS: ReadonlySet<string> = new Set(
	["date", "time", "date-time", "duration", "uuid", "email", "hostname", "ipv4", "ipv6", "uri"].concat([
		"uri-reference",
		"json-pointer",
		"relative-json-pointer",
	]),
);
