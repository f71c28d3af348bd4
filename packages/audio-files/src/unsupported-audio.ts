/** Reasons why a file cannot be transcribed. A retry cannot help with any of them. */
export type UnsupportedAudioCode =
	| "empty"
	| "not_audio"
	| "unsupported_container"
	| "unsupported_codec"
	| "no_audio_track"
	| "too_long"
	| "broken";

/** An uploaded file that Parley cannot read as audio. `message` is a sentence for the owner of the file. */
export class UnsupportedAudio extends Error {
	override readonly name = "UnsupportedAudio";
	readonly code: UnsupportedAudioCode;

	constructor(code: UnsupportedAudioCode, message: string, cause?: unknown) {
		super(message, { cause });
		this.code = code;
	}
}

/** Creates the error of a damaged file. `what` completes the sentence, for example "its index is incomplete". */
export function broken(what: string, cause?: unknown): UnsupportedAudio {
	return new UnsupportedAudio("broken", `The file is damaged or incomplete: ${what}.`, cause);
}

/** Creates the error of a file whose codec is not supported. */
export function unsupportedCodec(name: string): UnsupportedAudio {
	return new UnsupportedAudio("unsupported_codec", `The audio codec is not supported: ${name}.`);
}

/** Creates the error of a file without audio data. */
export function emptyAudio(): UnsupportedAudio {
	return new UnsupportedAudio("empty", "The file contains no audio.");
}

/** Creates the error of a file without an audio track. */
export function noAudioTrack(): UnsupportedAudio {
	return new UnsupportedAudio("no_audio_track", "The file has no audio track.");
}
