/** Chat models of Workers AI that support JSON schemas. The first is the default. */
export const WORKERS_AI_CHAT_MODELS = [
	"@cf/meta/llama-3.3-70b-instruct-fp8-fast",
	"@cf/meta/llama-4-scout-17b-16e-instruct",
	"@cf/google/gemma-4-26b-a4b-it",
] as const;
