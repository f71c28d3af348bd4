/** Formats of the submission API. `mpeg` is MPEG audio layer I or II, or audio in an MPEG transport or program stream. */
export type AudioFormat = "wav" | "mp3" | "flac" | "aac" | "ogg" | "m4a" | "mp4" | "webm" | "amr" | "mpeg";

export type AudioCodec =
	| "pcm"
	| "alaw"
	| "ulaw"
	| "mp3"
	| "mp2"
	| "aac"
	| "alac"
	| "flac"
	| "opus"
	| "vorbis"
	| "amr_nb"
	| "amr_wb"
	| "ac3"
	| "eac3";

/** Facts about the file that planning and slicing need, as plain JSON. `start` and `end` are file offsets of the audio data. */
export type Layout =
	/** `format` is the body of the `fmt ` chunk, in base64. */
	| {
			kind: "wav";
			format: string;
			blockAlign: number;
			sampleFormat: SampleFormat;
			start: number;
			end: number;
	  }
	/** Frames with their own headers: MPEG audio, ADTS, AMR. */
	| { kind: "frames"; start: number; end: number }
	/** `streamInfo` is the body of the STREAMINFO block, in base64. */
	| { kind: "flac"; streamInfo: string; start: number; end: number }
	/** `headers` are the codec's header packets without comments, in base64. `serial` is that of the first stream of a chain. */
	| { kind: "ogg"; headers: string[]; serial: number; start: number; end: number; preSkip: number }
	/** `config` is the decoder configuration, in base64. `tables` is the range of the sample table box in the file. */
	| { kind: "mp4"; config: string; timescale: number; samples: number; tables: [from: number, to: number] }
	/** `defaults` are the duration and the size of samples that do not state their own. */
	| {
			kind: "mp4-fragments";
			config: string;
			timescale: number;
			track: number;
			start: number;
			defaults: [number, number];
	  }
	| {
			kind: "webm";
			config: string;
			track: number;
			secondsPerTick: number;
			frameSeconds: number;
			start: number;
	  }
	/** `stream` is the PID in a transport stream, or the stream id in a program stream. */
	| { kind: "mpeg"; stream: number; frames: "adts" | "mpeg"; start: number };

export type SampleFormat = "u8" | "s16" | "s24" | "s32" | "f32" | "f64" | "alaw" | "ulaw";

export type AudioInfo = {
	container:
		| "riff"
		| "mpeg-audio"
		| "adts"
		| "amr"
		| "flac"
		| "ogg"
		| "mp4"
		| "matroska"
		| "mpeg-ts"
		| "mpeg-ps";
	format: AudioFormat;
	codec: AudioCodec;
	channels: number;
	sampleRate: number;
	/** Null if no header states it. Planning measures the exact duration. */
	durationSeconds: number | null;
	/** False if the duration may be wrong, for example because it was estimated from the bit rate. */
	exactDuration: boolean;
	/** Duration that the header declares, if the file contains less. */
	declaredSeconds?: number;
	sizeBytes: number;
	layout: Layout;
};
