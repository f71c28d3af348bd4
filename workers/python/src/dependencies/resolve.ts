import { sha256Hex } from "@parley/bytes/sha256";
import { type FrozenDependency, PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";
import { eq, rcompare } from "@renovatebot/pep440";
import type { Ctx } from "../context.ts";
import { PYTHON_VERSION } from "../runtime.ts";
import { DependencyError } from "./dependency-error.ts";
import { PackageIndex, type ProjectFile } from "./package-index.ts";
import { type Pin, parsePins } from "./pins.ts";
import { accepts } from "./requirement.ts";
import { unmetRequirements } from "./unmet.ts";
import { parseWheelName, readWheel, type WheelContents } from "./wheel-file.ts";
import { findWheel, storeWheel } from "./wheel-store.ts";

const DEADLINE_MS = 60_000;
const CONCURRENCY = 4;
const MAX_SUGGESTIONS = 10;
// Beyond these a suggestion would take longer to find than it is worth.
const MAX_SUGGESTED_VERSIONS = 5_000;
const MAX_SUGGESTED_SPECIFIER = 200;
const PYTHON_MINOR = Number(PYTHON_VERSION.split(".")[1]);

type Fetched = { pin: Pin; frozen: FrozenDependency; contents: WheelContents; size: number };

/**
 * Turns exact pins into wheels that lie checked in storage. Nothing is chosen for the author: a requirement that no pin
 * meets is an error that names the pin to add.
 */
export async function resolveDependencies(
	ctx: Ctx,
	dependencies: string[],
): Promise<{ frozen: FrozenDependency[]; errors: DependencyError[] }> {
	const { pins, errors } = parsePins(dependencies);
	if (errors.length > 0) return { frozen: [], errors };
	const index = new PackageIndex({
		indexUrl: ctx.indexUrl,
		rules: ctx.rules,
		timeoutMs: ctx.indexTimeoutMs,
		signal: AbortSignal.timeout(DEADLINE_MS),
	});
	const budget = { bytesLeft: PYTHON_LIMITS.allWheelsBytes };
	const fetched: Fetched[] = [];
	await eachOf(pins, async (pin) => {
		try {
			fetched.push(await fetchPin(ctx, index, pin, budget));
		} catch (error) {
			errors.push(withPin(error, pin));
		}
	});
	if (errors.length > 0) return { frozen: [], errors: errors.sort(byDependency) };
	errors.push(...tooMuchTogether(fetched), ...(await explainUnmet(index, fetched)));
	const frozen = fetched.map((one) => one.frozen).sort((a, b) => (a.name < b.name ? -1 : 1));
	return errors.length > 0 ? { frozen: [], errors } : { frozen, errors };
}

async function fetchPin(
	ctx: Ctx,
	index: PackageIndex,
	pin: Pin,
	budget: { bytesLeft: number },
): Promise<Fetched> {
	const file = wheelFor(pin, await index.files(pin.name));
	const sha256 = file.hashes.sha256?.toLowerCase() ?? "";
	if (!/^[0-9a-f]{64}$/.test(sha256)) {
		const message = `${file.filename}: the package index gives no sha256`;
		throw new DependencyError("DEPENDENCY_HASH_MISMATCH", message);
	}
	const wheel = { sha256, filename: file.filename };
	const stored = await findWheel(ctx.wheels, wheel);
	const bytes = stored ? new Uint8Array(stored) : await index.download(file);
	budget.bytesLeft -= bytes.byteLength;
	if (budget.bytesLeft < 0) throw tooLarge("allWheelsBytes");
	const actual = stored ? sha256 : await sha256Hex(bytes);
	if (actual !== sha256) {
		const message = `${file.filename}: its sha256 is ${actual}, but the package index says ${sha256}`;
		throw new DependencyError("DEPENDENCY_HASH_MISMATCH", message);
	}
	const contents = readWheel(bytes, file.filename, pin);
	if (!stored) await storeWheel(ctx.wheels, wheel, bytes);
	const frozen = { name: pin.name, version: pin.version, ...wheel };
	return { pin, frozen, contents, size: bytes.byteLength };
}

function wheelFor(pin: Pin, files: ProjectFile[] | undefined): ProjectFile {
	const not = (code: "DEPENDENCY_NOT_FOUND" | "DEPENDENCY_NO_WHEEL", why: string) =>
		new DependencyError(code, `${pin.text}: ${why}`);
	if (!files) throw not("DEPENDENCY_NOT_FOUND", "the package index knows no such package");
	const ofVersion = files.filter((file) => sameVersion(file.filename, pin));
	if (ofVersion.length === 0) throw not("DEPENDENCY_NOT_FOUND", "the package index has no such version");
	const wheels = ofVersion.filter((file) => isUsable(file.filename));
	if (wheels.length === 0)
		throw not(
			"DEPENDENCY_NO_WHEEL",
			"it comes without a pure-Python wheel (py3-none-any), so it cannot be used",
		);
	const current = wheels.filter((file) => !file.yanked);
	if (current.length === 0) throw not("DEPENDENCY_NO_WHEEL", "its author has withdrawn this version");
	const file = current.find((one) => runsHere(one));
	if (!file)
		throw not(
			"DEPENDENCY_NO_WHEEL",
			`it needs Python ${current[0]?.["requires-python"]}, the sandbox has ${PYTHON_VERSION}`,
		);
	return file;
}

function sameVersion(filename: string, pin: Pin): boolean {
	const wheel = parseWheelName(filename, PYTHON_MINOR);
	if (wheel) return wheel.name === pin.name && eq(wheel.version, pin.version);
	return filename.toLowerCase().endsWith(`-${pin.version.toLowerCase()}.tar.gz`);
}

const isUsable = (filename: string) => parseWheelName(filename, PYTHON_MINOR)?.isPure === true;

const runsHere = (file: ProjectFile) => acceptsPython(file["requires-python"] ?? "");

function acceptsPython(specifier: string): boolean {
	try {
		return accepts(specifier.trim(), PYTHON_VERSION);
	} catch {
		return false;
	}
}

/** Requirements that the pins do not meet, each with a pin that would. */
async function explainUnmet(index: PackageIndex, fetched: Fetched[]): Promise<DependencyError[]> {
	const unmet = unmetRequirements(fetched, PYTHON_VERSION);
	if (unmet instanceof DependencyError) return [unmet];
	return await Promise.all(
		unmet.map(async ({ name, specifier, neededBy, pinned }, i) => {
			const suggestion = i < MAX_SUGGESTIONS ? await suggest(index, name, specifier) : null;
			const wanted = `${name}${specifier}`;
			const advice = suggestion ? `pin ${suggestion}` : `pin a version of ${wanted}`;
			const by = neededBy.join(" and ");
			return pinned
				? new DependencyError(
						"DEPENDENCY_CONFLICT",
						`${by} needs ${wanted}, but ${pinned} is pinned: ${advice}`,
						pinned,
						suggestion,
					)
				: new DependencyError(
						"DEPENDENCY_MISSING_PIN",
						`${by} also needs ${wanted}: ${advice}`,
						neededBy[0],
						suggestion,
					);
		}),
	);
}

/** The newest version with a wheel that the sandbox can use, final releases first; null when there is none. */
async function suggest(index: PackageIndex, name: string, specifier: string): Promise<string | null> {
	if (specifier.length > MAX_SUGGESTED_SPECIFIER) return null;
	try {
		const files = (await index.files(name)) ?? [];
		const versions = files
			.slice(-MAX_SUGGESTED_VERSIONS)
			.filter((file) => isUsable(file.filename) && !file.yanked && runsHere(file))
			.map((file) => parseWheelName(file.filename, PYTHON_MINOR)?.version ?? "")
			.filter((version) => accepts(specifier, version))
			.sort(rcompare);
		const best = versions.find((version) => !/[a-z]/i.test(version.replace(/\.?post\d+/, ""))) ?? versions[0];
		return best ? `${name}==${best}` : null;
	} catch {
		return null;
	}
}

function tooMuchTogether(fetched: Fetched[]): DependencyError[] {
	const unpacked = fetched.reduce((sum, one) => sum + one.contents.unpackedBytes, 0);
	return unpacked > PYTHON_LIMITS.unpackedBytes ? [tooLarge("unpackedBytes")] : [];
}

function tooLarge(limit: "allWheelsBytes" | "unpackedBytes"): DependencyError {
	const mebibytes = PYTHON_LIMITS[limit] / 1024 / 1024;
	const what = limit === "unpackedBytes" ? "unpack to" : "are";
	return new DependencyError(
		"DEPENDENCY_LIMIT",
		`the dependencies ${what} more than ${mebibytes} MiB together`,
	);
}

function withPin(error: unknown, pin: Pin): DependencyError {
	if (!(error instanceof DependencyError)) throw error;
	return new DependencyError(error.code, error.message, error.dependency ?? pin.text, error.suggestedPin);
}

const byDependency = (a: DependencyError, b: DependencyError) =>
	(a.dependency ?? "") < (b.dependency ?? "") ? -1 : 1;

async function eachOf<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
	const queue = items.values();
	const worker = async () => {
		for (const item of queue) await work(item);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
