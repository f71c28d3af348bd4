import { TOOL_CONFIGS, type ToolType } from "@parley/contracts/agents/tool-config";
import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import { argumentSchema, type ToolContent } from "./tool-content.ts";

/** A tool that every organisation sees and none can change. Its only version is 1, which is never deleted. */
export type CuratedTool = ToolContent & { id: string; versionId: string; name: string };

/** Time at which the curated tools were created. */
export const CURATED_AT = "2026-11-20T00:00:00.000Z";

const NUMBERED = [
	["end_call", "Ends the call."],
	["voicemail_detection", "Tells whether a machine has answered, and leaves a message or hangs up."],
	["transfer_call", "Transfers the call to a person, by phone number or SIP address."],
	["send_sms", "Sends a text message during the call."],
	["current_datetime", "Tells the date and time."],
	["user_phone_number", "Tells the phone number of the person on the call."],
] as const satisfies [Exclude<ToolType, "code" | "api_request">, string][];

/** All curated tools, ordered by name. Their ids are the same in every deployment. */
export const CURATED_TOOLS: readonly CuratedTool[] = NUMBERED.map(([type, description], index) => ({
	id: `019a9e30-0000-7000-8000-00000000000${index + 1}`,
	versionId: `019a9e30-0000-7000-9000-00000000000${index + 1}`,
	name: type,
	toolType: type,
	description,
	config: TOOL_CONFIGS[type].parse({ type }),
	argumentDefaults: {},
	codeSrc: null,
	declaredSecrets: [],
	dependencies: [],
})).toSorted((a, b) => (a.name < b.name ? -1 : 1));

export const findCurated = (toolId: string): CuratedTool | undefined =>
	CURATED_TOOLS.find(({ id }) => id === toolId);

/** Returns the snapshot of version 1 of a curated tool. */
export const curatedSnapshot = (tool: CuratedTool): ToolSnapshot => ({
	name: tool.name,
	description: tool.description,
	tool_type: tool.toolType,
	argument_schema: argumentSchema(tool, null) ?? {},
	argument_defaults: tool.argumentDefaults,
	config: tool.config,
});
