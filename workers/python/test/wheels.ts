import { createHash } from "node:crypto";
import { strToU8, zipSync } from "fflate";

export type WheelSpec = {
	name: string;
	version: string;
	/** Text by path, beside the metadata. */
	files: Record<string, string | Uint8Array>;
	requires?: string[];
	tag?: string;
	/** Name and version that the metadata claims instead. */
	claims?: { name: string; version: string };
};

export const wheelFilename = ({ name, version, tag = "py3-none-any" }: WheelSpec): string =>
	`${name.replaceAll("-", "_")}-${version}-${tag}.whl`;

/** A wheel as a package author would build it. */
export function makeWheel(spec: WheelSpec): Uint8Array {
	const { name, version, files, requires = [], tag = "py3-none-any", claims = { name, version } } = spec;
	const info = `${name.replaceAll("-", "_")}-${version}.dist-info`;
	const metadata = [
		"Metadata-Version: 2.1",
		`Name: ${claims.name}`,
		`Version: ${claims.version}`,
		...requires.map((requirement) => `Requires-Dist: ${requirement}`),
	];
	const entries: Record<string, string | Uint8Array> = {
		...files,
		[`${info}/METADATA`]: `${metadata.join("\n")}\n\nA wheel for tests.\n\nRequires-Dist: not-a-header\n`,
		[`${info}/WHEEL`]: `Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: ${tag}\n`,
	};
	const bytes = Object.fromEntries(
		Object.entries(entries).map(([path, data]) => [path, typeof data === "string" ? strToU8(data) : data]),
	);
	return zipSync(bytes, { mtime: "2020-01-01T00:00:00Z" });
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
