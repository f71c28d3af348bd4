/** The formats that submission names; `mpeg` is MPEG audio layer I/II and audio inside MPEG transport streams. */
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

/** Where things lie in the file: what planning and slicing need, as plain JSON. */
export type Layout =
	/** `format` is the body of the `fmt ` chunk, base64. */
	| {
			kind: "wav";
			format: string;
			blockAlign: number;
			sampleFormat: SampleFormat;
			start: number;
			end: number;
	  }
	/** Frames that carry their own header: MPEG audio, ADTS, AMR. */
	| { kind: "frames"; start: number; end: number }
	/** `streamInfo` is the body of the STREAMINFO block, base64. */
	| { kind: "flac"; streamInfo: string; start: number; end: number }
	/** `headers` are the codec's header packets without comments, base64; `serial` is that of the first link. */
	| { kind: "ogg"; headers: string[]; serial: number; start: number; end: number; preSkip: number }
	/** `config` is what a decoder has to know beforehand, base64; `tables` is the place of the sample table box. */
	| { kind: "mp4"; config: string; timescale: number; samples: number; tables: [from: number, to: number] }
	/** `defaults` are duration and size of samples that do not say theirs. */
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
	/** Frames in packets of a stream: `stream` is its PID in a transport stream, its stream id in a program stream. */
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
	/** Null when nothing tells; planning gives the exact one. */
	durationSeconds: number | null;
	/** False where the duration is an estimate from the bit rate. */
	exactDuration: boolean;
	/** What the header says where the file holds less. */
	promisedSeconds?: number;
	sizeBytes: number;
	layout: Layout;
};
