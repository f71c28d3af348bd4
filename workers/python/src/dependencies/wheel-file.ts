import { normalisedProject, PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";
import { eq, valid } from "@renovatebot/pep440";
import { strFromU8, unzipSync } from "fflate";
import { DependencyError } from "./dependency-error.ts";
import type { Pin } from "./pins.ts";

const NAME =
	/^(?<name>[A-Za-z0-9._]+)-(?<version>[A-Za-z0-9._!+]+)(?:-\d[A-Za-z0-9_.]*)?-(?<python>[A-Za-z0-9_.]+)-(?<abi>[A-Za-z0-9_.]+)-(?<platform>[A-Za-z0-9_.]+)\.whl$/;
const MAX_METADATA_BYTES = 1024 * 1024;
// What it is packed to says how much it can unpack to, whatever the archive claims.
const MAX_PACKED_METADATA_BYTES = 256 * 1024;
const MAX_ENTRIES = 10_000;

export type WheelName = { name: string; version: string; isPure: boolean };

/** The parts of a wheel's file name (PEP 427), or undefined when it is none. `minor` is that of the interpreter, 3.x. */
export function parseWheelName(filename: string, minor: number): WheelName | undefined {
	const { name, version, python, abi, platform } = NAME.exec(filename)?.groups ?? {};
	if (!name || !version || !python || valid(version.replaceAll("_", "-")) === null) return undefined;
	const runsHere = python.split(".").some((tag) => {
		const numbered = /^(py|cp)3(\d+)$/.exec(tag);
		return tag === "py3" || (numbered !== null && Number(numbered[2]) <= minor);
	});
	return {
		name: normalisedProject(name),
		version: version.replaceAll("_", "-"),
		isPure:
			runsHere &&
			(abi?.split(".").includes("none") ?? false) &&
			(platform?.split(".").includes("any") ?? false),
	};
}

export type WheelContents = {
	/** The texts of `Requires-Dist`. */
	requirements: string[];
	unpackedBytes: number;
};

/**
 * Looks into a wheel whose hash was checked.
 * @throws DependencyError WHEEL_UNUSABLE when it is broken, unsafe or not the package that its name promises
 */
export function readWheel(bytes: Uint8Array, filename: string, pin: Pin): WheelContents {
	const unusable = (why: string) => new DependencyError("WHEEL_UNUSABLE", `${filename}: ${why}`, pin.text);
	let unpackedBytes = 0;
	let entries = 0;
	let metadataName: string | undefined;
	let metadata: Uint8Array | undefined;
	try {
		const found = unzipSync(bytes, {
			filter: ({ name, size, originalSize }) => {
				if (++entries > MAX_ENTRIES) throw unusable(`more than ${MAX_ENTRIES} files`);
				if (name.startsWith("/") || name.split("/").includes("..")) throw unusable(`unsafe path ${name}`);
				unpackedBytes += originalSize;
				if (unpackedBytes > PYTHON_LIMITS.unpackedBytes) throw unusable("unpacks to too many bytes");
				if (metadataName !== undefined || !/^[^/]+\.dist-info\/METADATA$/.test(name)) return false;
				metadataName = name;
				return originalSize <= MAX_METADATA_BYTES && size <= MAX_PACKED_METADATA_BYTES;
			},
		});
		metadata = metadataName === undefined ? undefined : found[metadataName];
	} catch (error) {
		if (error instanceof DependencyError) throw error;
		throw unusable("not a zip file that can be read");
	}
	if (!metadata) throw unusable(metadataName ? "its METADATA is too large" : "no METADATA in it");
	const headers = parseHeaders(strFromU8(metadata));
	const name = headers.get("name")?.[0] ?? "";
	const version = headers.get("version")?.[0] ?? "";
	if (normalisedProject(name) !== pin.name || valid(version) === null || !eq(version, pin.version))
		throw unusable(`holds ${name || "nothing"} ${version} instead of ${pin.text}`);
	return { requirements: headers.get("requires-dist") ?? [], unpackedBytes };
}

/** The headers of core metadata, by lower-case name; the body after the empty line is the long description. */
function parseHeaders(text: string): Map<string, string[]> {
	const headers = new Map<string, string[]>();
	const [head = ""] = text.split(/\r?\n\r?\n/, 1);
	for (const line of head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
		const key = /^([A-Za-z-]+):/.exec(line)?.[1]?.toLowerCase();
		if (key === undefined) continue;
		const values = headers.get(key) ?? [];
		values.push(line.slice(key.length + 1).trim());
		headers.set(key, values);
	}
	return headers;
}
