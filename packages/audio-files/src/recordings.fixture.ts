import { type AudioSource, bytesSource } from "./audio-source.ts";

// The tests run in workerd, which has no file system. Vite puts the files into this module as data URLs.
declare global {
	interface ImportMeta {
		glob(
			pattern: string[],
			options: { query: "?inline"; import: "default"; eager: true },
		): Record<string, string>;
	}
}

const FILES = import.meta.glob(["../fixtures/*.*", "!../fixtures/*.sh"], {
	query: "?inline",
	import: "default",
	eager: true,
});

const fixtureNames = Object.keys(FILES).map((path) => path.slice("../fixtures/".length));

/** Returns the bytes of a file in `fixtures`. `fixtures/make.sh` documents how each was made. */
export function fixture(name: string): Uint8Array<ArrayBuffer> {
	const dataUrl = FILES[`../fixtures/${name}`];
	if (!dataUrl) throw new Error(`There is no fixture ${name}`);
	return Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
}

/** Returns a fixture as a source that counts the bytes read and rejects reads outside of it. */
export function fixtureSource(name: string): AudioSource & { bytesRead: number } {
	const bytes = fixture(name);
	const plain = bytesSource(bytes);
	const source = {
		size: bytes.length,
		bytesRead: 0,
		async read(start: number, end: number) {
			if (start < 0 || end < start || end > bytes.length) throw new RangeError(`[${start}, ${end})`);
			source.bytesRead += end - start;
			return plain.read(start, end);
		},
	};
	return source;
}

/** Names of the fixtures with all of the speech, or four seconds of it. */
export const SPEECH_FILES = fixtureNames.filter(
	(name) =>
		/^(speech|vorbis|cbr|vbr|moov|frag|video|opus|mp3|mp2|amr|aac|live|constant|chained|program)/.test(
			name,
		) && !/aiff|wma/.test(name),
);
