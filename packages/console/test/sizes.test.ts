import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildConsole } from "@parley/dev-stack/build/build-console";
import { expect, test } from "vitest";

const FIRST_LOAD_LIMIT = 150_000;
/** What one screen may add. */
const ROUTE_LIMIT = 60_000;

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] };

const folder = await buildConsole();
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8"));
const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? "";

/** Lists a chunk and all that the browser loads with it. */
function withImports(name: string, found = new Set<string>()): Set<string> {
	if (found.has(name)) return found;
	found.add(name);
	for (const other of manifest[name]?.imports ?? []) withImports(other, found);
	return found;
}

const gzipBytes = (names: Iterable<string>): number =>
	[...names].reduce((sum, name) => {
		const file = manifest[name]?.file ?? "";
		return sum + (file.endsWith(".js") ? gzipSync(readFileSync(join(folder, file))).length : 0);
	}, 0);

const first = withImports(entry);

test("the first load is at most 150 kB of gzip JavaScript", () => {
	process.stdout.write(`first load: ${gzipBytes(first)} bytes\n`);
	expect(gzipBytes(first)).toBeLessThanOrEqual(FIRST_LOAD_LIMIT);
});

test("no screen adds more than 60 kB, and every screen is a chunk of its own", () => {
	const pages = Object.keys(manifest).filter((name) => name.endsWith(".page.tsx"));
	const sizes = pages.map((name) => {
		const own = [...withImports(name)].filter((chunk) => !first.has(chunk));
		return [name.replace(/^src\//, ""), gzipBytes(own)] as const;
	});
	process.stdout.write(sizes.map(([name, bytes]) => `${String(bytes).padStart(7)} ${name}\n`).join(""));
	expect(sizes.length).toBeGreaterThan(4);
	expect(sizes.filter(([, bytes]) => bytes > ROUTE_LIMIT)).toEqual([]);
	expect(pages.filter((name) => first.has(name))).toEqual([]);
});

test("no file of the build loads anything from another origin", () => {
	const assets = join(folder, "assets");
	const foreign = readdirSync(assets)
		.filter((name) => name.endsWith(".css"))
		.flatMap((name) => readFileSync(join(assets, name), "utf8").match(/url\((["']?)https?:[^)]*\)/g) ?? []);
	expect(foreign).toEqual([]);
});
