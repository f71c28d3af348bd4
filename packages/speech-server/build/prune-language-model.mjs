// Prunes the US-English trigram model of CMU Sphinx to its most frequent words and the n-grams that matter most:
// those with the largest p(history) p(word | history) (log p(word | history) - log of what back-off would give).
// Usage: node prune-language-model.mjs en-us.lm.bin cmudict-en-us.dict out.arpa out.dict
import { readFileSync, writeFileSync } from "node:fs";

const WORDS = 20_000;
const BIGRAMS = 200_000;
const TRIGRAMS = 100_000;

const [modelPath, dictionaryPath, arpaPath, prunedDictionaryPath] = process.argv.slice(2);
const dictionary = readFileSync(dictionaryPath, "utf8").split("\n");
const model = readModel(readFileSync(modelPath));
const { words, unigram, backoff } = model;

const start = words.indexOf("<s>");
const end = words.indexOf("</s>");
const spoken = new Set(dictionary.map((line) => line.split(" ")[0]));
const frequent = [...words.keys()]
	.filter((word) => spoken.has(words[word]))
	.sort((a, b) => unigram[b] - unigram[a])
	.slice(0, WORDS);
const kept = new Set([...frequent, start, end]);

/** Returns the probability of a history. The model has none for the start of a sentence. */
const historyShare = (word) => (word === start ? 0.07 : 10 ** unigram[word]);
const pair = (first, second) => first * 2 ** 17 + second;
const byGain = (a, b) => b.gain - a.gain;

const bigramOf = new Map();
const trigrams = [];
for (const bigram of model.bigrams(kept)) {
	const { first, second, log } = bigram;
	const gain = Math.max(0, log - backoff[first] - unigram[second]);
	bigramOf.set(pair(first, second), { ...bigram, gain: historyShare(first) * 10 ** log * gain });
	for (const { before, log } of model.trigrams(bigram, kept))
		trigrams.push({ words: [before, first, second], log });
}
for (const trigram of trigrams) {
	const [first, second, third] = trigram.words;
	const history = bigramOf.get(pair(first, second));
	const ending = bigramOf.get(pair(second, third));
	const share = historyShare(first) * 10 ** (history?.log ?? backoff[first] + unigram[second]);
	const fallback = (history?.backoff ?? 0) + (ending?.log ?? backoff[second] + unigram[third]);
	trigram.gain = share * 10 ** trigram.log * Math.max(0, trigram.log - fallback);
}

let keptTrigrams = trigrams.sort(byGain).slice(0, TRIGRAMS);
const needed = new Set();
for (const {
	words: [first, second, third],
} of keptTrigrams)
	needed.add(pair(first, second)).add(pair(second, third));
const keptBigrams = [];
for (const bigram of [...bigramOf.values()].sort(byGain))
	if (needed.has(pair(bigram.first, bigram.second)) || keptBigrams.length < BIGRAMS) keptBigrams.push(bigram);
const logOfBigram = new Map(keptBigrams.map((b) => [pair(b.first, b.second), b.log]));
keptTrigrams = keptTrigrams.filter(
	({ words: [first, second, third] }) =>
		logOfBigram.has(pair(first, second)) && logOfBigram.has(pair(second, third)),
);

// Back-off weights share out what the kept n-grams leave.
let total = 0;
for (const word of kept) if (word !== start) total += 10 ** unigram[word];
const logOfWord = (word) => unigram[word] - Math.log10(total);
const bigramMass = masses(
	keptBigrams,
	(b) => b.first,
	(b) => b.log,
	(b) => logOfWord(b.second),
);
const trigramMass = masses(
	keptTrigrams,
	(t) => pair(t.words[0], t.words[1]),
	(t) => t.log,
	(t) => logOfBigram.get(pair(t.words[1], t.words[2])),
);

const sorted = [...kept].sort((a, b) => (words[a] < words[b] ? -1 : 1));
const rank = new Map(sorted.map((word, index) => [word, index]));
const inOrder = (a, b) => {
	const differing = a.findIndex((word, i) => word !== b[i]);
	return differing < 0 ? 0 : rank.get(a[differing]) - rank.get(b[differing]);
};
keptBigrams.sort((a, b) => inOrder([a.first, a.second], [b.first, b.second]));
keptTrigrams.sort((a, b) => inOrder(a.words, b.words));

writeFileSync(
	arpaPath,
	[
		"\\data\\",
		`ngram 1=${kept.size}`,
		`ngram 2=${keptBigrams.length}`,
		`ngram 3=${keptTrigrams.length}`,
		"",
		"\\1-grams:",
		...sorted.map(
			(word) =>
				`${fixed(word === start ? -99 : logOfWord(word))} ${words[word]} ${fixed(weight(bigramMass.get(word), 1))}`,
		),
		"",
		"\\2-grams:",
		...keptBigrams.map(
			({ first, second, log }) =>
				`${fixed(log)} ${words[first]} ${words[second]} ${fixed(weight(trigramMass.get(pair(first, second)), 0.999))}`,
		),
		"",
		"\\3-grams:",
		...keptTrigrams.map(
			({ words: three, log }) => `${fixed(log)} ${three.map((word) => words[word]).join(" ")}`,
		),
		"",
		"\\end\\",
		"",
	].join("\n"),
);
const keptWords = new Set(sorted.map((word) => words[word]));
const entries = dictionary.filter((line) => keptWords.has(line.split(" ")[0].replace(/\(\d+\)$/, "")));
writeFileSync(prunedDictionaryPath, `${entries.join("\n")}\n`);

function fixed(log) {
	return log.toFixed(4);
}

/** For each history: how much its kept n-grams hold, and how much back-off would have given the same words. */
function masses(ngrams, history, log, fallback) {
	const result = new Map();
	for (const ngram of ngrams) {
		const mass = result.get(history(ngram)) ?? { held: 0, fallback: 0 };
		mass.held += 10 ** log(ngram);
		mass.fallback += 10 ** fallback(ngram);
		result.set(history(ngram), mass);
	}
	return result;
}

function weight(mass, mostFallback) {
	if (!mass) return 0;
	const left = Math.max(1e-4, 1 - Math.min(0.999, mass.held));
	return Math.log10(left / Math.max(1e-4, 1 - Math.min(mostFallback, mass.fallback)));
}

/**
 * Reads the binary trie of sphinxbase: counts, 16-bit quantiser tables, unigrams, bit-packed bigrams and trigrams keyed by
 * the reversed n-gram, words. Its logarithms have base 1.0001; here they have base 10.
 */
function readModel(file) {
	const bytes = new DataView(file.buffer, file.byteOffset, file.length);
	const scale = Math.log10(1.0001);
	let at = "Trie Language Model".length;
	const order = bytes.getUint8(at++);
	if (order !== 3) throw new Error(`a trigram model is needed, this one has order ${order}`);
	const counts = [0, 1, 2].map((i) => bytes.getUint32(at + 4 * i, true));
	at += 4 * order + 4;
	const table = () => {
		const values = Float64Array.from(
			{ length: 65_536 },
			(_, i) => bytes.getFloat32(at + 4 * i, true) * scale,
		);
		at += 4 * values.length;
		return values;
	};
	const [bigramLogs, bigramBackoffs, trigramLogs] = [table(), table(), table()];
	const unigram = [];
	const backoff = [];
	const firstBigram = [];
	for (let i = 0; i <= counts[0]; i++, at += 12) {
		unigram.push(bytes.getFloat32(at, true) * scale);
		backoff.push(bytes.getFloat32(at + 4, true) * scale);
		firstBigram.push(bytes.getUint32(at + 8, true));
	}
	const bitsFor = (value) => (value === 0 ? 0 : 32 - Math.clz32(value));
	const wordBits = bitsFor(counts[0]);
	const nextBits = bitsFor(counts[2]);
	const bigramBits = wordBits + 32 + nextBits;
	const trigramBits = wordBits + 16;
	const bigramsAt = at;
	at += Math.floor(((1 + counts[1]) * bigramBits + 7) / 8) + 8;
	const trigramsAt = at;
	at += Math.floor(((1 + counts[2]) * trigramBits + 7) / 8) + 8;
	const length = bytes.getInt32(at, true);
	const words = file
		.subarray(at + 4, at + 4 + length)
		.toString("latin1")
		.split("\0")
		.slice(0, counts[0]);
	const packed = (base, bit, width) =>
		(bytes.getUint32(base + Math.floor(bit / 8), true) >>> (bit & 7)) & (2 ** width - 1);

	return {
		words,
		unigram,
		backoff,
		*bigrams(among) {
			for (const second of among)
				for (let i = firstBigram[second]; i < firstBigram[second + 1]; i++) {
					const bit = i * bigramBits;
					const first = packed(bigramsAt, bit, wordBits);
					if (!among.has(first)) continue;
					yield {
						first,
						second,
						backoff: bigramBackoffs[packed(bigramsAt, bit + wordBits, 16)],
						log: bigramLogs[packed(bigramsAt, bit + wordBits + 16, 16)],
						from: packed(bigramsAt, bit + wordBits + 32, nextBits),
						to: packed(bigramsAt, bit + bigramBits + wordBits + 32, nextBits),
					};
				}
		},
		*trigrams({ from, to }, among) {
			for (let i = from; i < to; i++) {
				const before = packed(trigramsAt, i * trigramBits, wordBits);
				if (among.has(before))
					yield { before, log: trigramLogs[packed(trigramsAt, i * trigramBits + wordBits, 16)] };
			}
		},
	};
}
