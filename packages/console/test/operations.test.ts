import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";
import { expect, inject, test } from "vitest";

const source = join(root, "packages/console/src");

const called = readdirSync(source, { recursive: true, encoding: "utf8" })
	.filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
	.flatMap((name) =>
		[
			...readFileSync(join(source, name), "utf8").matchAll(/"(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^"\s]+)"/g),
		].map(([, method = "", path = ""]) => ({
			name,
			method: method.toLowerCase(),
			path: path.replaceAll("+}", "}"),
		})),
	);

test("every operation that the console calls is in the API reference", async () => {
	const response = await fetch(`${inject("baseUrl")}/openapi.json`);
	const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
	const known = new Map(
		Object.entries(paths).map(([path, methods]) => [path.replaceAll("+}", "}"), methods]),
	);
	expect(called.length).toBeGreaterThan(20);
	expect(called.filter(({ method, path }) => known.get(path)?.[method] === undefined)).toEqual([]);
});
