import { env } from "cloudflare:workers";
import { sha256Hex } from "@parley/bytes/sha256";
import { TOOL_CONFIGS, type ToolType } from "@parley/contracts/agents/tool-config";
import type { ArgumentDefaults, ToolSnapshot } from "@parley/contracts/agents/tools";
import { toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { sql } from "drizzle-orm";

type Json = Record<string, unknown>;
type Content = {
	toolType?: ToolType;
	/** Names and schemas of the arguments; those whose name ends with `!` are required. */
	parameters?: Record<string, Json>;
	config?: Json;
	argumentDefaults?: ArgumentDefaults;
	declaredSecrets?: string[];
	/** Complete content of the version, instead of the members above. */
	snapshot?: ToolSnapshot;
};

/** Inserts a tool with one published version for each of `contents` as rows, without runs and gates. */
export async function publishedTool(organisationId: string, ...contents: Content[]): Promise<string> {
	const db = openDatabase(env.DB);
	const id = newId();
	const now = new Date().toISOString();
	const versions = await Promise.all(contents.map((content, i) => versionOf(id, i + 1, content)));
	const latest = versions.at(-1)!;
	await db.insert(tools).values({
		...{
			organisationId,
			id,
			name: `tool-${id}`,
			toolType: latest.snapshot.tool_type,
			description: "",
		},
		config: latest.snapshot.config,
		argumentDefaults: latest.snapshot.argument_defaults,
		declaredSecrets: latest.declaredSecrets,
		dependencies: [],
		revision: 1,
		contentHash: latest.contentHash,
		latestVersion: versions.length,
		contentVersion: versions.length,
		...{ createdBy: "test", createdAt: now, updatedAt: now },
	});
	for (const version of versions)
		await db.insert(toolVersions).values({ organisationId, toolId: id, ...version, publishedAt: now });
	return id;
}

async function versionOf(toolId: string, versionNumber: number, content: Content) {
	const tool_type = content.toolType ?? "api_request";
	const argument_schema = schemaOf(content.parameters ?? {});
	const base =
		tool_type === "api_request" ? { url: "https://api.example/", parameters: argument_schema } : {};
	return {
		versionNumber,
		id: newId(),
		contentHash: await sha256Hex(JSON.stringify([toolId, content, versionNumber])),
		declaredSecrets: content.declaredSecrets ?? [],
		...{ dependencies: [], frozenDeps: [], publishedBy: "test" },
		snapshot: content.snapshot ?? {
			...{ name: `tool-${toolId}`, description: "", tool_type, argument_schema },
			argument_defaults: content.argumentDefaults ?? {},
			config: TOOL_CONFIGS[tool_type].parse({ type: tool_type, ...base, ...content.config }),
		},
	};
}

export function schemaOf(parameters: Record<string, Json>): Json {
	const entries = Object.entries(parameters);
	const required = entries.flatMap(([name]) => (name.endsWith("!") ? [name.slice(0, -1)] : []));
	const properties = Object.fromEntries(entries.map(([name, schema]) => [name.replace(/!$/, ""), schema]));
	return { type: "object", properties, ...(required.length > 0 && { required }) };
}

export const deleteTool = (id: string) =>
	openDatabase(env.DB).update(tools).set({ deletedAt: new Date().toISOString() }).where(sql`id = ${id}`);
