import type { App } from "../../app.ts";
import type { BaseEnv } from "../../base-env.ts";

/** For tests: the documented examples of an app that its own schemas refuse, with the reason; empty when all hold. */
export function invalidExamples<E extends BaseEnv>(app: Pick<App<E>, "specs" | "describe">): string[] {
	const { paths } = app.describe();
	return app.specs.flatMap((spec) => {
		const operation = paths[spec.path.replace("+}", "}")]?.[spec.method];
		const sent = operation?.requestBody?.content?.["application/json"]?.example;
		const answered = operation?.responses?.[spec.status ?? 200]?.content?.["application/json"]?.example;
		return [
			{ side: "body", result: spec.body?.safeParse(sent) },
			{ side: "answer", result: spec.response?.safeParse(answered) },
		].flatMap(({ side, result }) =>
			(result?.error?.issues ?? []).map(
				({ path, message }) => `${spec.operationId} ${side} ${path.join(".")}: ${message}`,
			),
		);
	});
}
