import { type AudioSource, bytesSource } from "./audio-source.ts";

// The tests are typed for workerd, which has no files; the test runner puts them into the module as data addresses.
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

/** The bytes of a file in `fixtures`; `make.sh` there tells how each was made. */
export function fixture(name: string): Uint8Array<ArrayBuffer> {
	const address = FILES[`../fixtures/${name}`];
	if (!address) throw new Error(`There is no fixture ${name}`);
	return Uint8Array.from(atob(address.slice(address.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
}

/** A fixture as a source that counts what is read of it and refuses reads outside of it. */
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

/** Fixtures with all of the speech, or four seconds of it. */
export const SOUND = fixtureNames.filter(
	(name) =>
		/^(speech|vorbis|cbr|vbr|moov|frag|video|opus|mp3|mp2|amr|aac|live|constant|chained|program)/.test(
			name,
		) && !/aiff|wma/.test(name),
);
