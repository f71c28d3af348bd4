import { labelledHash } from "@parley/canonical/hash";
import { CreateAgent } from "@parley/contracts/agents/agents";
import type { ToolRef } from "@parley/contracts/agents/attachments";
import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import type { UpgradePreview } from "@parley/contracts/agents/upgrades";
import fc from "fast-check";
import { expect, test } from "vitest";
import { move } from "../../test/upgrade-cases.ts";
import { type AgentRow, configOf, hashConfig } from "../agents/agent-config.ts";
import type { PinnedVersion } from "../agents/attachments/pinned-versions.ts";
import { buildPreview } from "./preview.ts";
import { vaultNamesOf } from "./reconcile.ts";

type Inputs = {
	organisationId: string;
	agentId: string;
	greeting: string;
	attachment: ToolRef;
	from: ToolSnapshot;
	to: ToolSnapshot;
	toVersion: number;
	vaultNames: Set<string>;
};

const hashesOf = ({ current_config_hash, current_tool_version_hash, ...preview }: UpgradePreview) => [
	current_config_hash,
	current_tool_version_hash,
	preview.target_tool_version_hash,
	preview.acceptance_hash,
];

async function previewOf(inputs: Inputs): Promise<UpgradePreview> {
	const { attachment, greeting, organisationId, agentId } = inputs;
	const config = configOf(CreateAgent.parse({ name: "A", greeting, tool_refs: [attachment] }));
	const agent = { organisationId, id: agentId, config, configHash: await hashConfig(config) } as AgentRow;
	const version = async (versionNumber: number, snapshot: ToolSnapshot): Promise<PinnedVersion> => ({
		...{ toolId: attachment.tool_id, versionNumber, snapshot, declaredSecrets: [] },
		...{ contentHash: await labelledHash("test", snapshot), contentVersion: null, buildState: null },
	});
	const [from, to] = [await version(1, inputs.from), await version(inputs.toVersion, inputs.to)];
	return buildPreview({ agent, attachment, from, to }, inputs.vaultNames);
}

const change = fc.constantFrom<(inputs: Inputs) => Partial<Inputs>>(
	() => ({ organisationId: "another" }),
	() => ({ agentId: crypto.randomUUID() }),
	() => ({ greeting: "Another" }),
	({ attachment }) => ({ attachment: { ...attachment, description: "Another" } }),
	({ attachment }) => ({ attachment: { ...attachment, attachment_id: crypto.randomUUID() } }),
	({ from }) => ({ from: { ...from, description: "Another" } }),
	({ to }) => ({ to: { ...to, argument_defaults: { ...to.argument_defaults, z: 1 } } }),
	() => ({ toVersion: 3 }),
	({ attachment, to, vaultNames }) => {
		const needed = vaultNamesOf(attachment, { versionNumber: 2, snapshot: to, declaredSecrets: [] });
		const toggled = needed.slice(0, 1).filter((name) => !vaultNames.has(name));
		const rest = [...vaultNames].filter((name) => name !== needed[0]);
		return needed.length > 0 ? { vaultNames: new Set([...rest, ...toggled]) } : { greeting: "Another" };
	},
);

test("a change of any input changes a hash", async () => {
	await fc.assert(
		fc.asyncProperty(move, change, async (generated, alter) => {
			const inputs: Inputs = {
				...{ organisationId: "one", agentId: crypto.randomUUID(), greeting: "Hello", toVersion: 2 },
				...generated,
			};
			const before = await previewOf(inputs);
			expect(hashesOf(await previewOf({ ...inputs }))).toEqual(hashesOf(before));
			expect(hashesOf(await previewOf({ ...inputs, ...alter(inputs) }))).not.toEqual(hashesOf(before));
		}),
		{ numRuns: 200 },
	);
});
