/** Closed list of reasons why a file cannot be transcribed. None of them is worth a retry. */
export type UnsupportedAudioCode =
	| "empty"
	| "not_audio"
	| "unsupported_container"
	| "unsupported_codec"
	| "no_audio_track"
	| "too_long"
	| "broken";

/** The uploaded file is no audio that Parley can read; `message` is a plain sentence for its owner. */
export class UnsupportedAudio extends Error {
	override readonly name = "UnsupportedAudio";
	readonly code: UnsupportedAudioCode;

	constructor(code: UnsupportedAudioCode, message: string, cause?: unknown) {
		super(message, { cause });
		this.code = code;
	}
}

export function broken(what: string, cause?: unknown): UnsupportedAudio {
	return new UnsupportedAudio("broken", `The file is damaged or incomplete: ${what}.`, cause);
}

export function unsupportedCodec(name: string): UnsupportedAudio {
	return new UnsupportedAudio(
		"unsupported_codec",
		`The sound is coded in a way that is not supported: ${name}.`,
	);
}
