import type { JobConfig } from "@parley/contracts/job-configs";
import type { TranscribeHints } from "@parley/engines/speech/speech-engine";

/** What the engine is told of the job. */
export function toHints({ transcription_config }: JobConfig): TranscribeHints {
	const { language, operating_point, diarization, additional_vocab } = transcription_config;
	return {
		language,
		operatingPoint: operating_point,
		diarization,
		...(additional_vocab && { additionalVocab: additional_vocab }),
	};
}
