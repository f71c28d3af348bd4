import type { App } from "../app.ts";
import type { BaseEnv } from "../base-env.ts";
import { PLACEHOLDERS } from "./examples/examples.ts";

/** For tests: operations without a description, and tags without one. */
export function undescribedOperations<E extends BaseEnv>(app: Pick<App<E>, "describe">): string[] {
	const { paths, tags = [] } = app.describe();
	const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
	return [
		...operations
			.filter(({ description }) => !description)
			.map(({ operationId }) => `operation ${operationId}`),
		...tags.filter(({ description }) => !description).map(({ name }) => `tag ${name}`),
	];
}

/** For tests: places in documented examples that hold a placeholder, such as `"name": "name"`. */
export function placeholderExamples<E extends BaseEnv>(app: Pick<App<E>, "describe">): string[] {
	const found: string[] = [];
	const walk = (value: unknown, path: string, key: string): void => {
		if (typeof value === "string" && (value === key || PLACEHOLDERS.includes(value))) found.push(path);
		if (typeof value !== "object" || value === null) return;
		for (const [name, inner] of Object.entries(value))
			walk(inner, `${path}.${name}`, Array.isArray(value) ? key : name);
	};
	for (const methods of Object.values(app.describe().paths))
		for (const { operationId, requestBody, responses } of Object.values(methods))
			for (const [side, body] of [
				["request", requestBody ?? {}] as const,
				...Object.entries(responses ?? {}),
			])
				for (const { example, examples } of Object.values(body.content ?? {})) {
					walk(example, `${operationId} ${side}`, "");
					for (const [name, one] of Object.entries(examples ?? {}))
						if ("value" in one) walk(one.value, `${operationId} ${side} ${name}`, "");
				}
	return found;
}
