import { readFileSync } from "node:fs";
import { ALL_WORKERS, configPath } from "@parley/dev-stack/settings/configs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";

type Declared = { compatibility_flags?: string[]; vars?: Record<string, string> };

test("workers that go where others tell them see no more of the deployment's zone than anybody does", () => {
	const configs = ALL_WORKERS.map((worker) => parse(readFileSync(configPath(worker), "utf8")) as Declared);
	const fetching = configs.filter(({ vars }) => vars && "EGRESS_RESOLVER" in vars);
	expect(fetching).toHaveLength(5);
	for (const { compatibility_flags } of fetching)
		expect(compatibility_flags).toContain("global_fetch_strictly_public");
});
