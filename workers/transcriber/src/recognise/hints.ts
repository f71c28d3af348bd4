import type { JobConfig } from "@parley/contracts/batch/job-configs";
import type { TranscribeHints } from "@parley/engines/speech/speech-engine";

/** Returns the options of a job that an engine needs. */
export function toHints({ transcription_config }: JobConfig): TranscribeHints {
	const { language, operating_point, diarization, additional_vocab } = transcription_config;
	return {
		language,
		operatingPoint: operating_point,
		diarization,
		...(additional_vocab && { additionalVocab: additional_vocab }),
	};
}
