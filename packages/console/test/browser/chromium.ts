// A browser for tests: the one that the environment names, else the one of the npm package, else one of the system.
import { spawnSync } from "node:child_process";
import {
	createReadStream,
	createWriteStream,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib";

export type Chromium = { executablePath: string; env: Record<string, string> };

const CACHE = resolve(import.meta.dirname, "../../../../node_modules/.cache");
const SYSTEM = [
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Finds a Chromium. @returns undefined off x64 Linux where none is installed. */
export async function findChromium(): Promise<Chromium | undefined> {
	const named = process.env.CHROMIUM_PATH;
	if (named) return { executablePath: named, env: {} };
	if (process.platform === "linux" && process.arch === "x64") return unpack();
	const found = SYSTEM.find((path) => existsSync(path));
	return found ? { executablePath: found, env: {} } : undefined;
}

/**
 * Unpacks the npm package, which holds the browser compressed, with the libraries and fonts that a bare system lacks. Its own
 * code is not used: that writes fixed names into the temporary folder and starts the browser without a sandbox of origins.
 */
async function unpack(): Promise<Chromium> {
	const main = createRequire(import.meta.url).resolve("@sparticuz/chromium");
	const bin = join(dirname(main), "../bin");
	const { version } = JSON.parse(readFileSync(join(bin, "../package.json"), "utf8"));
	const home = join(CACHE, `chromium-${version}`);
	if (!existsSync(home)) await unpackInto(home, bin);
	return {
		executablePath: join(home, "chrome"),
		env: {
			LD_LIBRARY_PATH: join(home, "lib"),
			FONTCONFIG_FILE: join(home, "fonts.conf"),
			LANG: "en_US.UTF-8",
		},
	};
}

async function unpackInto(home: string, bin: string): Promise<void> {
	mkdirSync(CACHE, { recursive: true });
	const work = mkdtempSync(join(CACHE, "chromium-unpacking-"));
	try {
		for (const name of ["al2023", "fonts", "swiftshader"]) {
			const input = brotliDecompressSync(readFileSync(join(bin, `${name}.tar.br`)));
			const { status, stderr, error } = spawnSync("tar", ["-x", "-C", work], { input });
			if (status !== 0) throw error ?? new Error(`tar: ${stderr}`);
		}
		const chrome = createWriteStream(join(work, "chrome"), { mode: 0o755 });
		await pipeline(
			createReadStream(join(bin, "chromium.br")),
			createBrotliDecompress({ chunkSize: 1 << 20 }),
			chrome,
		);
		// Without any font the browser aborts at the first text.
		writeFileSync(
			join(work, "fonts.conf"),
			`<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${home}/fonts</dir><cachedir>${home}/fonts-cache</cachedir></fontconfig>`,
		);
		renameSync(work, home);
	} catch (error) {
		// Another test run that unpacked at the same time may have been first.
		if (!existsSync(home)) throw error;
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
}
