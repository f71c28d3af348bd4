import type { Pronunciation } from "../recognition/recogniser.ts";
import { guessPhones } from "./letter-to-sound.ts";

/** A word or phrase to recognise, and spellings of how it sounds. */
export interface VocabularyEntry {
	content: string;
	sounds_like?: string[];
}

/** Entries prepared for the engine. */
export interface Vocabulary {
	/** Key of the vocabulary. Equal for vocabularies with the same words for the engine. */
	key: string;
	added: Pronunciation[];
	/** Spelling of each word that the engine returns. */
	display: ReadonlyMap<string, string>;
	/** A sentence for each entry that was guessed or omitted. */
	warnings: string[];
}

export const NO_VOCABULARY: Vocabulary = { key: "[]", added: [], display: new Map(), warnings: [] };

const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/**
 * Finds the pronunciation of each entry: in the dictionary (phones by word), by spelling out capitals and digits, or by guessing from the letters,
 * with a warning. Omits an entry that cannot be pronounced, with a warning.
 */
export function resolveVocabulary(
	entries: readonly VocabularyEntry[],
	dictionary: ReadonlyMap<string, string>,
): Vocabulary {
	const added: Pronunciation[] = [];
	const display = new Map<string, string>();
	const warnings: string[] = [];
	for (const { content, sounds_like = [] } of entries) {
		const own = pronounce(content, dictionary);
		const spellings = sounds_like.map((spelling) => ({ spelling, sound: pronounce(spelling, dictionary) }));
		const sounds = new Set<string>();
		for (const { spelling, sound } of spellings) {
			if (!sound.phones)
				warnings.push(`"${spelling}" (for "${content}") cannot be pronounced and was ignored`);
			if (sound.phones) sounds.add(sound.phones);
			for (const word of sound.guessed)
				warnings.push(
					`"${word}" (for "${content}") is not a known word; its pronunciation was guessed from its spelling`,
				);
		}
		// A guess helps only if there is nothing better.
		if (own.phones && (own.guessed.length === 0 || sounds.size === 0)) {
			sounds.add(own.phones);
			for (const word of own.guessed)
				warnings.push(
					`"${word}" is not a known word; its pronunciation was guessed. Set sounds_like to correct it`,
				);
		}
		if (sounds.size === 0) {
			warnings.push(`"${content}" cannot be pronounced and was ignored`);
			continue;
		}
		const word = token(content, display);
		display.set(word, content);
		for (const phones of sounds) added.push({ word, phones });
	}
	return { key: JSON.stringify(added), added, display, warnings };
}

/** Returns the engine's name of an entry: one word in lower case. */
function token(content: string, taken: ReadonlyMap<string, string>): string {
	let word = content.toLowerCase().replace(/[^\p{L}\p{N}'.-]+/gu, "_");
	while (taken.has(word) && taken.get(word) !== content) word += "_";
	return word;
}

function pronounce(text: string, dictionary: ReadonlyMap<string, string>) {
	const phones: string[] = [];
	const guessed: string[] = [];
	for (const word of spokenWords(text, dictionary)) {
		const known = dictionary.get(word);
		const sound = known ?? guessPhones(word);
		if (sound) phones.push(sound);
		if (sound && known === undefined) guessed.push(word);
	}
	return { phones: phones.join(" "), guessed };
}

/** Returns the spoken words of a text, such as `open a. i. four x.` for "OpenAI 4x". */
function spokenWords(text: string, dictionary: ReadonlyMap<string, string>): string[] {
	const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").replace(/’/g, "'");
	return plain.split(/[^A-Za-z0-9'.]+/).flatMap((word) => {
		if (dictionary.has(word.toLowerCase()) && !isSpelled(word)) return [word.toLowerCase()];
		const parts = word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+('[a-z]+)?|\d/g) ?? [];
		return parts.flatMap((part) => {
			if (/\d/.test(part)) return [DIGITS[Number(part)] ?? part];
			if (isSpelled(part)) return [...part.toLowerCase()].map((letter) => `${letter}.`);
			return [part.toLowerCase()];
		});
	});
}

/** Reports whether a word is spelled out: a few capitals, or a word without a vowel. */
function isSpelled(word: string): boolean {
	return /^[A-Z]{1,3}$/.test(word) || /^[^aeiouy]+$/i.test(word);
}
