// `pnpm pack:sdk [folder]`: packs the SDK as JavaScript with types, for programs outside this repository. The folder is dist/ by default.
import { execFileSync } from "node:child_process";
import {
	cpSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";

type Manifest = {
	version: string;
	peerDependencies: Record<string, string>;
	peerDependenciesMeta: Record<string, unknown>;
	dependencies: Record<string, string>;
};

/** Packages that the SDK takes types or code of, directly or not. */
const OWN_PACKAGES = ["contracts", "toolset-formats", "json-schema", "bytes"];

const folder = resolve(process.argv[2] ?? join(root, "dist"));
const readManifest = (path: string) =>
	JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as Manifest;
const { version } = readManifest(".");
const { peerDependencies, peerDependenciesMeta } = readManifest("packages/sdk");
const { zod } = readManifest("packages/contracts").dependencies;

const work = mkdtempSync(join(tmpdir(), "parley-sdk-"));
try {
	compile();
	for (const file of globSync("**/*.{js,d.ts}", { cwd: work })) pointAtFiles(join(work, file));
	dropUnused();
	writeManifest();
	cpSync(join(root, "LICENSE"), join(work, "LICENSE"));
	mkdirSync(folder, { recursive: true });
	const packed = execFileSync("npm", ["pack", work, "--pack-destination", folder, "--silent"], {
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
	});
	console.log(relative(process.cwd(), join(folder, packed.trim())));
} finally {
	rmSync(work, { recursive: true, force: true });
}

/** Compiles the SDK and what it imports of this repository, each package in a folder of its own. */
function compile(): void {
	const config = join(root, "tsconfig.pack-sdk.json");
	const compilerOptions = {
		...{ noEmit: false, declaration: true, rewriteRelativeImportExtensions: true },
		...{ rootDir: join(root, "packages"), outDir: work, types: ["node"] },
		lib: ["es2024", "dom", "dom.iterable"],
		// What is found by its package would count as somebody else's, and would not be compiled.
		paths: Object.fromEntries(
			OWN_PACKAGES.map((name) => [`@parley/${name}/*`, [`./packages/${name}/src/*.ts`]]),
		),
	};
	const files = globSync("packages/sdk/src/**/*.ts", { cwd: root });
	writeFileSync(config, JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions, files }));
	try {
		execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", config], { stdio: "inherit" });
	} finally {
		unlinkSync(config);
	}
}

/** Turns imports of this repository's packages, and those with the extension of a source, into paths of compiled files. */
function pointAtFiles(file: string): void {
	const text = readFileSync(file, "utf8")
		.replaceAll(/(["'])@parley\/([\w-]+)\/([\w/-]+)\1/g, (_, quote, name, path) => {
			const target = relative(dirname(file), join(work, name, "src", `${path}.js`));
			return `${quote}${target.startsWith(".") ? target : `./${target}`}${quote}`;
		})
		.replaceAll(/((?:from|import\()\s*["']\.{1,2}\/[^"']+)\.ts(["'])/g, "$1.js$2");
	writeFileSync(file, text);
}

/** Deletes modules that no module of the SDK loads: of most it needs the types alone. */
function dropUnused(): void {
	const used = new Set<string>();
	const visit = (file: string) => {
		if (used.has(file)) return;
		used.add(file);
		const imports = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g);
		for (const [, path = ""] of imports) visit(join(dirname(file), path));
	};
	for (const file of globSync("sdk/src/**/*.js", { cwd: work })) visit(join(work, file));
	for (const file of globSync("**/*.js", { cwd: work }))
		if (!used.has(join(work, file))) unlinkSync(join(work, file));
}

function writeManifest(): void {
	const manifest = {
		...{ name: "@parley/sdk", version, license: "MIT", type: "module", engines: { node: ">=20" } },
		description: "Client of Parley: transcription jobs, and the tools of voice agents",
		exports: { "./*": { types: "./sdk/src/*.d.ts", default: "./sdk/src/*.js" } },
		// The types of the API are made from its schemas.
		dependencies: { zod },
		peerDependencies,
		peerDependenciesMeta,
	};
	writeFileSync(join(work, "package.json"), `${JSON.stringify(manifest, null, "\t")}\n`);
}
