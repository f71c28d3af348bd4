import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";

/** Assets of all threads, compiled and held once. The model's bytes are shared memory. */
export interface Assets {
	decoder: WebAssembly.Module;
	recogniser: WebAssembly.Module;
	/** Files of the recogniser by the path that it opens. */
	model: ReadonlyMap<string, Uint8Array>;
}

/** Asset of each path that the recogniser opens. */
const MODEL = {
	"/lm": "lm",
	"/dict": "dict",
	"/acoustic/mdef": "mdef",
	"/acoustic/means": "means",
	"/acoustic/variances": "variances",
	"/acoustic/sendump": "sendump",
	"/acoustic/transition_matrices": "transition_matrices",
	"/acoustic/noisedict": "noisedict",
	"/acoustic/feat.params": "feat.params",
};

const read = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url));
const decoderPath = createRequire(import.meta.url).resolve("@parley/decoder/assets/decoder.wasm");

/** Loads and compiles the assets. */
export async function loadAssets(): Promise<Assets> {
	const [decoder, recogniser] = await Promise.all([
		WebAssembly.compile(readFileSync(decoderPath)),
		WebAssembly.compile(read("recogniser.wasm")),
	]);
	const model = new Map(Object.entries(MODEL).map(([path, name]) => [path, shared(read(`${name}.bin`))]));
	return { decoder, recogniser, model };
}

/** Copies bytes into shared memory. */
function shared(bytes: Uint8Array): Uint8Array {
	const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
	copy.set(bytes);
	return copy;
}

/** Loads the CMU dictionary: phones by word (first pronunciation), 134,000 words, far more than the engine's vocabulary. */
export function loadPronunciations(): ReadonlyMap<string, string> {
	const lines = gunzipSync(read("pronunciations.gz.bin")).toString("utf8").split("\n");
	return new Map(
		lines.map((line) => {
			const space = line.indexOf(" ");
			return [line.slice(0, space), line.slice(space + 1)];
		}),
	);
}
