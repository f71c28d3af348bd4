import { SAMPLE_RATE } from "@parley/decoder/audio-decoder";
import { type Program, startProgram } from "@parley/decoder/wasi";

/** A word as the engine returns it: lower case, seconds from the start of the utterance, posterior probability from 0 to 1. */
export interface RecognisedWord {
	word: string;
	start: number;
	end: number;
	probability: number;
}

/** A word to add to the engine: one token without spaces, and phones of the CMU set ("P AA R L IY"). */
export interface Pronunciation {
	word: string;
	phones: string;
}

/** A recogniser. It blocks its thread for about a tenth of the utterance's length. */
export interface Recogniser {
	recognise(samples: Int16Array): RecognisedWord[];
}

const FRAMES_PER_SECOND = 100;

/** Factor by which an added word is likelier than an average one. A hundred finds more of them and still hallucinates none. */
const ADDED_WEIGHT = 100;

const OPTIONS = {
	hmm: "/acoustic",
	lm: "/lm",
	dict: "/dict",
	mmap: "no",
	cmn: "batch",
	// Halves the time at the same word error rate.
	maxhmmpf: 3000,
	maxwpf: 5,
	// Otherwise the front end drops leading silence, which shifts all word times.
	remove_silence: "no",
};

/**
 * Starts PocketSphinx with its model and the added words. `files` contains `/lm`, `/dict` and the acoustic model under `/acoustic`. An added word
 * may occur several times with different pronunciations. A word that the engine knows gets another pronunciation.
 */
export async function openRecogniser(
	module: WebAssembly.Module,
	files: ReadonlyMap<string, Uint8Array>,
	added: readonly Pronunciation[] = [],
): Promise<Recogniser> {
	const program = await startProgram(module, files);
	const options = Object.entries(OPTIONS).map(([name, value]) => `-${name}\n${value}`);
	const status = program.call("recogniser_open", putString(program, options.join("\n")));
	if (status < 0) throw new Error(`the recogniser did not start (${status})`);
	for (const [index, { word, phones }] of added.entries())
		addWord(program, word, phones, index === added.length - 1);
	return { recognise: (samples) => recognise(program, samples) };
}

/** Adds a pronunciation. In a Sphinx dictionary, further pronunciations of a word are named "word(2)", "word(3)". */
function addWord(program: Program, word: string, phones: string, isLast: boolean): void {
	const phonesAt = putString(program, phones);
	for (let variant = 1; ; variant++) {
		const wordAt = putString(program, variant === 1 ? word : `${word}(${variant})`);
		const taken = program.call("recogniser_knows", wordAt) === 1;
		const status = taken
			? 0
			: program.call("recogniser_add_word", wordAt, phonesAt, ADDED_WEIGHT, isLast ? 1 : 0);
		program.call("recogniser_free", wordAt);
		if (taken) continue;
		program.call("recogniser_free", phonesAt);
		if (status < 0) throw new Error(`the recogniser rejected "${word}" as ${phones}`);
		return;
	}
}

function recognise(program: Program, samples: Int16Array): RecognisedWord[] {
	const at = program.call("recogniser_allocate", samples.byteLength);
	program.bytes().set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), at);
	const status = program.call("recogniser_listen", at, samples.length);
	program.call("recogniser_free", at);
	if (status < 0) throw new Error(`the recogniser failed (${status})`);
	return getString(program, program.call("recogniser_words"))
		.split("\n")
		.map((line) => line.split(" "))
		.flatMap(([word = "", first, last, probability]) => {
			// <s>, <sil>, [NOISE] and ++UH++ are not words.
			if (!/^[^<[+]/.test(word)) return [];
			return {
				word: word.replace(/\(\d+\)$/, ""),
				start: Number(first) / FRAMES_PER_SECOND,
				end: Math.min((Number(last) + 1) / FRAMES_PER_SECOND, samples.length / SAMPLE_RATE),
				probability: Math.min(1, Number(probability)),
			};
		});
}

function putString(program: Program, text: string): number {
	const encoded = new TextEncoder().encode(`${text}\0`);
	const at = program.call("recogniser_allocate", encoded.length);
	program.bytes().set(encoded, at);
	return at;
}

function getString(program: Program, at: number): string {
	const bytes = program.bytes();
	return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
}
