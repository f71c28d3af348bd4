import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";

const SUITE = join(root, "workers/mcp-client/node_modules/@modelcontextprotocol/conformance/dist/index.js");

/**
 * Runs the public conformance suite.
 * @param onOutput called with all output so far, for a scenario that waits for somebody
 */
export async function runConformance(
	args: string[],
	onOutput: (text: string) => void = () => {},
): Promise<{ code: number | null; text: string }> {
	const results = mkdtempSync(join(tmpdir(), "parley-conformance-"));
	const child = spawn(process.execPath, [SUITE, ...args, "--output-dir", results]);
	let text = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			text += chunk;
			onOutput(text);
		});
	const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
	rmSync(results, { recursive: true, force: true });
	return { code, text };
}
