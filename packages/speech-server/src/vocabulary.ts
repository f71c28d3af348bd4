import { guessPhones } from "./letter-to-sound.ts";
import type { Pronunciation } from "./recogniser.ts";

/** A word or phrase to listen for, and other ways of spelling how it sounds. */
export interface VocabularyEntry {
	content: string;
	sounds_like?: string[];
}

/** Entries made ready for the engine. */
export interface Vocabulary {
	/** The same for vocabularies that give the engine the same words. */
	key: string;
	added: Pronunciation[];
	/** What to write for a word the engine gives. */
	display: ReadonlyMap<string, string>;
	/** A sentence for each entry that was guessed at or left out. */
	warnings: string[];
}

export const NO_VOCABULARY: Vocabulary = { key: "[]", added: [], display: new Map(), warnings: [] };

const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/**
 * Finds how the entries sound: in the dictionary (word to phones), by spelling out capitals and digits, or, with a
 * warning, by guessing from the letters. An entry that cannot be pronounced is left out with a warning.
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
				warnings.push(`"${spelling}" (for "${content}") cannot be pronounced; it was left out`);
			if (sound.phones) sounds.add(sound.phones);
			for (const word of sound.guessed)
				warnings.push(
					`"${word}" (for "${content}") is no known word; its sound was guessed from its spelling`,
				);
		}
		// A guess helps only where nothing better is said.
		if (own.phones && (own.guessed.length === 0 || sounds.size === 0)) {
			sounds.add(own.phones);
			for (const word of own.guessed)
				warnings.push(`"${word}" is no known word; its sound was guessed, sounds_like would say it better`);
		}
		if (sounds.size === 0) {
			warnings.push(`"${content}" cannot be pronounced; it was left out`);
			continue;
		}
		const word = token(content, display);
		display.set(word, content);
		for (const phones of sounds) added.push({ word, phones });
	}
	return { key: JSON.stringify(added), added, display, warnings };
}

/** The engine's name of the entry: one word, in the lower case of its own words. */
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

/** "OpenAI 4x" → open a. i. four x. */
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

/** Short capitals and words without a vowel are said letter by letter. */
function isSpelled(word: string): boolean {
	return /^[A-Z]{1,3}$/.test(word) || /^[^aeiouy]+$/i.test(word);
}
