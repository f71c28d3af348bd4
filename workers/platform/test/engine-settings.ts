// Engines whose servers are not there: tests that call one pass a server of their own.
const speech = [
	{
		vendor: "openai-compatible",
		base_url: "http://speech.test/v1",
		models: [
			{ code: "parley/local", model: "pocketsphinx-en-us", accepts_vocabulary: true },
			{
				code: "acme/whisper:large",
				model: "large",
				pricing: { unit: "audio_second", min_price: 0.002 },
			},
		],
	},
];

const voices = [
	{
		vendor: "openai-compatible",
		base_url: "http://voices.test/v1",
		models: [{ code: "acme/voice:1", model: "voice", voices: ["ann", "bob"] }],
	},
];

export const testEngines = {
	SPEECH_ENGINES: JSON.stringify(speech),
	DEFAULT_MODEL: "parley/local",
	VOICE_ENGINES: JSON.stringify(voices),
};
