import type { JobOptions } from "../uploads/upload.ts";
import type { newJobTexts } from "./texts.ts";

export type Extra = keyof typeof newJobTexts.extraNames;

export type JobForm = {
	/** Empty for the deployment's default. */
	model: string;
	language: string;
	speakers: "none" | "speaker" | "channel";
	extras: Extra[];
	/** As typed, separated by commas. */
	tags: string;
};

const KEY = "parley:new-job";
const FIRST: JobForm = { model: "", language: "en", speakers: "none", extras: [], tags: "" };

/** Returns the options that were chosen last. Tags belong to one upload and start empty. */
export function loadForm(): JobForm {
	try {
		return { ...FIRST, ...JSON.parse(localStorage.getItem(KEY) ?? "{}"), tags: "" };
	} catch {
		return FIRST;
	}
}

export const saveForm = (form: JobForm): void => localStorage.setItem(KEY, JSON.stringify(form));

/** Turns the form into what a submission takes. */
export function toOptions({ model, language, speakers, extras, tags }: JobForm): JobOptions {
	const list = [...new Set(tags.split(",").map((tag) => tag.trim()))].filter(Boolean);
	return {
		...(model && { model_code: model }),
		transcription_config: {
			language: language || "en",
			...(speakers !== "none" && { diarization: speakers }),
		} as JobOptions["transcription_config"],
		...Object.fromEntries(extras.map((extra) => [`${extra}_config`, {}])),
		...(list.length > 0 && { tracking: { tags: list } }),
	};
}
