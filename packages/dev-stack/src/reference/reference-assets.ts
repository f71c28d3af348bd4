// The files of the API reference that are not written by hand: Scalar's browser bundle, and docs/ as pages.
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../settings/configs.ts";
import { renderGuide } from "./render-guide.ts";

const ASSETS = join(root, "workers/platform/assets/docs");
const SCALAR = join(root, "workers/platform/node_modules/@scalar/api-reference");
const DOCS = join(root, "docs");
/** Why things are as they are: for those who change Parley, not for those who use it. */
const NOT_GUIDES = "decisions";

/** Writes Scalar's bundle and the guides into the platform worker's assets. Repeating it writes only what has changed. */
export function buildReferenceAssets(): void {
	copyScalar();
	writeGuides();
}

/** Copies the bundle and its chunks, without source maps, once per version. */
function copyScalar(): void {
	const { version } = JSON.parse(readFileSync(join(SCALAR, "package.json"), "utf8")) as { version: string };
	const target = join(ASSETS, "scalar");
	const stamp = join(target, "version.txt");
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === version) return;
	const bundle = join(SCALAR, "dist/browser");
	const fresh = `${target}.${process.pid}`;
	cpSync(join(bundle, "standalone.esm.js"), join(fresh, "standalone.esm.js"));
	cpSync(join(bundle, "chunks"), join(fresh, "chunks"), {
		recursive: true,
		filter: (path) => !path.endsWith(".map"),
	});
	writeFileSync(join(fresh, "version.txt"), version);
	rmSync(target, { recursive: true, force: true });
	renameSync(fresh, target);
}

function writeGuides(): void {
	const target = join(ASSETS, "guides");
	const guides = new Set(guidePaths());
	const pages = [...guides].map((path) => {
		const markdown = readFileSync(join(DOCS, `${path}.md`), "utf8");
		return [path === "README" ? "index" : path, renderGuide(markdown, path, guides)] as const;
	});
	const wanted = new Set(pages.map(([path]) => `${path}.html`));
	for (const [path, page] of pages) writeIfChanged(join(target, `${path}.html`), page);
	for (const file of filesIn(target)) if (!wanted.has(file)) rmSync(join(target, file));
}

/** Returns the pages of docs/ without their extension: `README`, `how-to/deploy`. */
const guidePaths = (): string[] =>
	filesIn(DOCS)
		.filter((file) => file.endsWith(".md") && !file.startsWith(`${NOT_GUIDES}/`))
		.map((file) => file.slice(0, -".md".length));

const filesIn = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

function writeIfChanged(file: string, text: string): void {
	if (existsSync(file) && readFileSync(file, "utf8") === text) return;
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
