/** Speech models of Workers AI, in the order in which a deployment offers them unless its settings name some. */
export const WORKERS_AI_SPEECH_MODELS = ["@cf/openai/whisper-large-v3-turbo", "@cf/deepgram/nova-3"] as const;

export type WorkersAiSpeechModel = (typeof WORKERS_AI_SPEECH_MODELS)[number];
