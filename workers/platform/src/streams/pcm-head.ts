import { adtsFrames } from "@parley/audio-files/codecs/aac";
import { findFirstFrame } from "@parley/audio-files/codecs/frames";
import { mpegFrames } from "@parley/audio-files/codecs/mpeg-audio";
import { type Container, id3Length, sniff } from "@parley/audio-files/sniff";
import { UnsupportedAudio } from "@parley/audio-files/unsupported-audio";

/** Bytes that decide what a stream is. The shortest audio that is transcribed, 0.6 s, has more. */
const HEAD_BYTES = 16 * 1024;
/** The longest signature lies in the first 12 bytes, except that of an MPEG transport stream. */
const SIGNATURE_BYTES = 12;
const TRANSPORT_STREAM_BYTES = 377;
/** Fewer bytes may look like text or noise by chance. */
const SAMPLE_BYTES = 4096;

const NAMES: Record<Exclude<Container, "frames">, string> = {
	riff: "a WAV file",
	flac: "a FLAC file",
	ogg: "an Ogg file",
	mp4: "an MP4 or M4A file",
	matroska: "a WebM file",
	amr: "an AMR file",
	"mpeg-ts": "an MPEG stream",
	"mpeg-ps": "an MPEG stream",
};

/** Collects the first bytes of a stream until they show whether the stream is raw PCM. */
export class PcmHead {
	private head = new Uint8Array(0);
	private isDecided = false;

	/** Adds the next bytes of the stream. @returns the format that the stream has instead of PCM, or undefined if it may be PCM */
	add(bytes: Uint8Array): string | undefined {
		if (this.isDecided) return undefined;
		const more = bytes.subarray(0, HEAD_BYTES - this.head.byteLength);
		const head = new Uint8Array(this.head.byteLength + more.byteLength);
		head.set(this.head);
		head.set(more, this.head.byteLength);
		this.head = head;
		return head.byteLength < HEAD_BYTES ? signatureOf(head) : this.end();
	}

	/** Decides from the bytes collected so far, because the stream has ended. @returns as `add` */
	end(): string | undefined {
		if (this.isDecided) return undefined;
		this.isDecided = true;
		return signatureOf(this.head) ?? contentOf(this.head);
	}
}

/** Returns the file format whose signature these bytes begin with. */
function signatureOf(head: Uint8Array): string | undefined {
	if (head.byteLength < SIGNATURE_BYTES) return undefined;
	if (id3Length(head) > 0) return "an MP3 file";
	const container = sniffed(head);
	if (container !== undefined && container !== "frames") return NAMES[container];
	if (findFirstFrame(mpegFrames, head)?.at === 0) return "an MP3 file";
	return findFirstFrame(adtsFrames, head)?.at === 0 ? "an AAC file" : undefined;
}

/** Returns the container of these bytes, or undefined for one that Parley does not read. */
function sniffed(head: Uint8Array): Container | undefined {
	const padded = new Uint8Array(Math.max(head.byteLength, TRANSPORT_STREAM_BYTES));
	padded.set(head);
	try {
		return sniff(padded);
	} catch (error) {
		if (error instanceof UnsupportedAudio) return undefined;
		throw error;
	}
}

/** Returns the format that the content suggests, for bytes without a signature. */
function contentOf(head: Uint8Array): string | undefined {
	if (head.byteLength < SAMPLE_BYTES) return undefined;
	try {
		sniff(head);
	} catch (error) {
		if (error instanceof UnsupportedAudio) return "another kind of file";
		throw error;
	}
	return looksRandom(head) ? "compressed audio, or noise" : undefined;
}

/** Root mean square as a share of full scale. Compressed bytes have 0.5 to 0.6, loud speech less. */
const RANDOM_LOUDNESS = 0.4;
/** Correlation of a sample with those before it. Compressed bytes have less than 0.15, speech more than 0.6. */
const RANDOM_CORRELATION = 0.25;
const MAX_LAG = 8;

/** Tells whether bytes, read as 16-bit samples, are as loud and as uncorrelated as random ones. */
function looksRandom(head: Uint8Array): boolean {
	const samples = new Int16Array(head.slice(0, head.byteLength & ~1).buffer);
	const energy = correlation(samples, 0);
	if (Math.sqrt(energy / samples.length) < RANDOM_LOUDNESS * 32_768) return false;
	for (let lag = 1; lag <= MAX_LAG; lag++)
		if (Math.abs(correlation(samples, lag)) > RANDOM_CORRELATION * energy) return false;
	return true;
}

function correlation(samples: Int16Array, lag: number): number {
	let sum = 0;
	for (let at = lag; at < samples.length; at++) sum += (samples[at] ?? 0) * (samples[at - lag] ?? 0);
	return sum;
}
