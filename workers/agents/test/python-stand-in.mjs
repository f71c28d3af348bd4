// Stands for the worker `parley-python`, which the whole-stack tests prove: does what the tool's source, here JSON, says.
import { WorkerEntrypoint } from "cloudflare:workers";

const SCHEMA = { type: "object", properties: {}, additionalProperties: true };
const PRINTED = { logs: [], logs_truncated: false };

export class PythonSandbox extends WorkerEntrypoint {
	/** `build`: members of the answer, or `throws`. */
	async build({ code_src, ...request }) {
		const { build = {} } = read(code_src);
		if (build.throws) throw new Error(build.throws);
		if (build.ok === false) return { ...PRINTED, ...build };
		return {
			...PRINTED,
			ok: true,
			frozen_deps: request.dependencies.map(frozen),
			tool: { ...TOOL, ...build },
		};
	}

	/** `run`: members of the answer, or `throws`; the output is the request when it says none. */
	async run({ code_src, ...request }) {
		const { run = {} } = read(code_src);
		if (run.throws) throw new Error(run.throws);
		const answered = { status: "succeeded", output: request, validation: "na", mismatches: [], error: null };
		return { ...PRINTED, latency_ms: 1, ...answered, ...run };
	}
}

const TOOL = {
	...{ entry: "handler", description: "", is_async: false, runtime_id: "stand-in" },
	...{ arg_schema: SCHEMA, output_schema: null },
};

const read = (source) => JSON.parse(source || "{}");

function frozen(pin) {
	const [name, version] = pin.split("==");
	return { name, version, filename: `${name}-${version}-py3-none-any.whl`, sha256: "0".repeat(64) };
}

export default { fetch: () => new Response(null, { status: 404 }) };
