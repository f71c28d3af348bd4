/**
 * Formats that are checked: those that `@cfworker/json-schema` checks in time proportional to the text. Any other format is
 * an annotation, as every format is by default.
 */
export const LINEAR_FORMATS: ReadonlySet<string> = new Set([
	"date",
	"time",
	"date-time",
	"duration",
	"uuid",
	"email",
	"hostname",
	"ipv4",
	"ipv6",
	"uri",
	"uri-reference",
	"json-pointer",
	"relative-json-pointer",
]);
