import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_WORKERS, configPath, root } from "@parley/dev-stack/settings/configs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";

type Declared = { vars?: Record<string, string>; secrets?: { required?: string[] } };

const page = readFileSync(join(root, "docs/reference/settings.md"), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| `"));
/** A row of the page by the name of its setting: the cells behind that. */
const described = new Map(
	rows.flatMap((row) => {
		const [names = "", ...cells] = row.split(" | ");
		return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, cells] as const);
	}),
);

test.each(ALL_WORKERS)("the page of settings names each of %s, with its default", (worker) => {
	const { vars = {}, secrets } = parse(readFileSync(configPath(worker), "utf8")) as Declared;
	for (const [name, value] of Object.entries(vars)) {
		const [standard = ""] = described.get(name) ?? [];
		expect(described.has(name), name).toBe(true);
		if (value !== "") expect(standard.trim(), name).toContain(`\`${value}\``);
	}
	for (const name of secrets?.required ?? []) expect(described.has(name), name).toBe(true);
});
