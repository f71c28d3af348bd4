import {
	EXTRA_CONFIGS,
	type ExtraConfigName,
	type JobConfig,
	TranscriptionConfig,
} from "@parley/contracts/batch/job-configs";
import type { SubmitJob } from "@parley/contracts/batch/job-submission";
import { unsupportedFeatures } from "@parley/engines/speech/features";
import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import type { SpeechRegistry } from "@parley/engines/speech/speech-registry";
import type { Ctx } from "./context.ts";
import { refuseField } from "./refusals.ts";

/** A submission with its model chosen and its defaults filled in. */
export type JobRequest = {
	modelCode: string;
	config: JobConfig;
	metadata: SubmitJob["metadata"] | null;
	tracking: SubmitJob["tracking"] | null;
};

const EXTRAS = Object.keys(EXTRA_CONFIGS) as ExtraConfigName[];

/**
 * Resolves a submission's model and defaults. A feature of `transcription_config` that the chosen engine lacks is refused;
 * an extra that no engine offers is accepted, and reported in the transcript's `metadata.<feature>_errors`.
 * @throws ApiError INVALID_REQUEST naming the field.
 */
export function resolveRequest({ engines }: Pick<Ctx, "engines">, body: SubmitJob): JobRequest {
	const engine = chooseEngine(engines, body.model_code);
	const transcription_config = TranscriptionConfig.parse(body.transcription_config ?? {});
	const [lacking] = unsupportedFeatures(engine, transcription_config);
	if (lacking) throw refuseField(lacking.field, lacking.message);
	return {
		modelCode: engine.code,
		config: {
			transcription_config,
			...extrasIn(body),
			...(body.output_config && { output_config: body.output_config }),
		},
		metadata: body.metadata ?? null,
		tracking: body.tracking ?? null,
	};
}

/** The configurations of extras that the body has. */
function extrasIn(body: SubmitJob): Pick<JobConfig, ExtraConfigName> {
	return Object.fromEntries(EXTRAS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
}

function chooseEngine(engines: SpeechRegistry, modelCode: string | undefined): SpeechEngine {
	const engine = modelCode === undefined ? engines.default() : engines.find(modelCode);
	if (engine) return engine;
	if (engines.models().length === 0)
		throw refuseField(
			"model_code",
			"This deployment has no speech engine; its operator has to configure one",
		);
	throw refuseField("model_code", `Model not found: ${modelCode}. GET /v1/catalog/models lists the models`);
}
