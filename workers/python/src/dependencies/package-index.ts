import { normalisedProject, PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";
import { EgressError } from "@parley/egress/egress-error";
import type { EgressRules } from "@parley/egress/egress-rules";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { z } from "zod";
import { DependencyError } from "./dependency-error.ts";

const JSON_TYPE = "application/vnd.pypi.simple.v1+json";
const MAX_PROJECT_BYTES = 16 * 1024 * 1024;

// A file that is described at greater length is none that a sandbox can use; to compare long versions takes long, too.
const ProjectFile = z.object({
	filename: z.string().max(400),
	url: z.string().max(8_000),
	hashes: z.record(z.string(), z.string()),
	"requires-python": z.string().max(500).nullish(),
	yanked: z.union([z.boolean(), z.string()]).optional(),
});
export type ProjectFile = z.infer<typeof ProjectFile>;

const Project = z.object({
	meta: z.object({ "api-version": z.string().regex(/^1\./) }),
	files: z.array(z.unknown()),
});

export type IndexSettings = {
	indexUrl: string;
	rules: EgressRules;
	timeoutMs: number;
	signal: AbortSignal;
};

/** A package index that speaks the JSON simple API (PEP 691), read with caps on time and bytes. */
export class PackageIndex {
	#settings: IndexSettings;

	constructor(settings: IndexSettings) {
		this.#settings = settings;
	}

	/**
	 * The files of a project, with absolute URLs; undefined when the index does not know it.
	 * @throws DependencyError INDEX_UNAVAILABLE
	 */
	async files(project: string): Promise<ProjectFile[] | undefined> {
		const url = new URL(`${normalisedProject(project)}/`, this.#settings.indexUrl);
		const { status, bytes, finalUrl, type } = await this.#get(url, MAX_PROJECT_BYTES, project, JSON_TYPE);
		if (status === 404) return undefined;
		if (status !== 200) throw this.#unavailable(project, `answered with status ${status}`);
		if (!/\+json|application\/json/.test(type))
			throw this.#unavailable(project, "does not speak the JSON simple API");
		const parsed = Project.safeParse(parseJson(bytes));
		if (!parsed.success)
			throw this.#unavailable(project, "gave an answer that is not of the JSON simple API");
		return parsed.data.files.flatMap((file) => {
			const { data } = ProjectFile.safeParse(file);
			const absolute = data && URL.parse(data.url, finalUrl);
			return absolute ? [{ ...data, url: absolute.href }] : [];
		});
	}

	/**
	 * The bytes of a wheel, unchecked.
	 * @throws DependencyError INDEX_UNAVAILABLE or DEPENDENCY_LIMIT
	 */
	async download(file: ProjectFile): Promise<Uint8Array> {
		const { status, bytes } = await this.#get(new URL(file.url), PYTHON_LIMITS.wheelBytes, file.filename);
		if (status !== 200) throw this.#unavailable(file.filename, `answered with status ${status}`);
		return bytes;
	}

	async #get(url: URL, maxBytes: number, what: string, accept = "*/*") {
		const { rules, timeoutMs, signal } = this.#settings;
		let finalUrl = url.href;
		try {
			const response = await guardedFetch(
				{ url, headers: { accept, "user-agent": "parley" } },
				{
					...rules,
					timeoutMs,
					signal,
					maxResponseBytes: maxBytes,
					onEvent: (event) => {
						if (event.type === "request") finalUrl = event.url;
					},
				},
			);
			const type = response.headers.get("content-type") ?? "";
			return { status: response.status, bytes: await response.bytes(), finalUrl, type };
		} catch (error) {
			if (signal.aborted) throw this.#unavailable(what, "took too long for all dependencies together");
			if (!(error instanceof EgressError)) throw this.#unavailable(what, "could not be read");
			if (error.code === "body_too_large") {
				const message = `${what}: larger than the ${maxBytes / 1024 / 1024} MiB allowed`;
				throw new DependencyError("DEPENDENCY_LIMIT", message);
			}
			throw this.#unavailable(what, `could not be read: ${error.message}`);
		}
	}

	/** Names the host of the index and no more of its address, which may hold credentials. */
	#unavailable(what: string, why: string): DependencyError {
		const { host } = new URL(this.#settings.indexUrl);
		const message = `${what}: the package index ${host} (setting PYTHON_INDEX) ${why}`;
		return new DependencyError("INDEX_UNAVAILABLE", message);
	}
}

function parseJson(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		return undefined;
	}
}
