import type { OpenAPIHono } from "@hono/zod-openapi";
import { VERSION } from "@parley/contracts/version";
import { z } from "zod";
import type { AppEnv } from "../app-env.ts";
import type { BaseEnv } from "../base-env.ts";
import type { Plane } from "../plane.ts";
import type { RouteSpec } from "../route.ts";
import { type Components, exampleOf, type JsonSchema } from "./examples.ts";
import { toOperation } from "./operation.ts";
import { createSchemaWriter, type Side } from "./schemas.ts";

export type ApiInfo = { title: string; version: string; description: string };

type Media = { schema?: JsonSchema; example?: unknown };
type Body = { content?: Record<string, Media> };
export type Operation = {
	operationId?: string;
	summary?: string;
	"x-required-scope"?: string;
	tags?: string[];
	requestBody?: Body;
	responses?: Record<string, Body>;
};
export type OpenApiDocument = {
	openapi: string;
	info: ApiInfo & { license?: { name: string; identifier: string } };
	servers?: { url: string }[];
	tags?: { name: string; description?: string }[];
	components?: { schemas?: Components; securitySchemes?: Record<string, unknown> };
	paths: Record<string, Record<string, Operation>>;
};

type DescribedRouter = { plane: Plane; specs: readonly RouteSpec[] };

const JSON_TYPE = "application/json";

/** The OpenAPI 3.1 document of an app, generated from the schemas that validate, with an example of every JSON body. */
export function openApiDocument<E extends BaseEnv>(
	app: OpenAPIHono<AppEnv<E>>,
	{ title, description, tags = {} }: { title: string; description: string; tags?: Record<string, string> },
	routers: readonly DescribedRouter[],
): OpenApiDocument {
	const specs = routers.flatMap((router) => router.specs);
	for (const { plane } of routers) describeSecurity(app, plane);
	const document = app.getOpenAPI31Document({
		openapi: "3.1.0",
		info: { title, version: VERSION.slice(1), description },
		servers: [{ url: "/" }],
		tags: [...new Set(specs.map(({ tag }) => tag))].map((name) => ({
			name,
			...(tags[name] && { description: tags[name] }),
		})),
	}) as unknown as OpenApiDocument;
	document.info.license = { name: "MIT", identifier: "MIT" };
	describeBodies(document, routers);
	for (const spec of specs) addExamples(document, spec);
	return document;
}

/** Puts the schemas of all bodies into the document, in place of what the registry made of them. */
function describeBodies(document: OpenApiDocument, routers: readonly DescribedRouter[]): void {
	const writer = createSchemaWriter();
	const written: { media: Media; text: string; side: Side }[] = [];
	const describe = (body: Body | undefined, side: Side, declared: unknown) => {
		const { content = {} } = (declared ?? {}) as { content?: Record<string, { schema?: unknown }> };
		for (const [type, media] of Object.entries(body?.content ?? {})) {
			const schema = content[type]?.schema;
			if (schema instanceof z.ZodType) written.push({ media, text: writer.write(schema, side), side });
		}
	};
	const described = routers.flatMap(({ plane, specs }) => specs.map((spec) => ({ plane, spec })));
	for (const { plane, spec } of described) {
		const { request, responses } = toOperation(plane, spec);
		const operation = operationOf(document, spec);
		describe(operation?.requestBody, "input", request?.body);
		for (const [status, response] of Object.entries(operation?.responses ?? {}))
			describe(response, "output", responses[status]);
	}
	const { components, resolve } = writer.finish();
	for (const { media, text, side } of written) media.schema = resolve(text, side);
	document.components = {
		...document.components,
		schemas: { ...document.components?.schemas, ...components },
	};
}

const operationOf = ({ paths }: OpenApiDocument, { path, method }: RouteSpec): Operation | undefined =>
	paths[path.replace("+}", "}")]?.[method];

function describeSecurity<E extends BaseEnv>(app: OpenAPIHono<AppEnv<E>>, plane: Plane): void {
	for (const { schemes } of plane.authenticators)
		for (const [name, scheme] of Object.entries(schemes))
			app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
}

function addExamples(document: OpenApiDocument, spec: RouteSpec): void {
	const operation = operationOf(document, spec);
	const schemas = document.components?.schemas ?? {};
	const body = operation?.requestBody?.content?.[JSON_TYPE];
	if (body?.schema) body.example = spec.examples?.body ?? exampleOf(body.schema, schemas, "required");
	for (const [status, response] of Object.entries(operation?.responses ?? {})) {
		const answer = response.content?.[JSON_TYPE];
		if (!answer?.schema) continue;
		const given = status === String(spec.status ?? 200) ? spec.examples?.response : undefined;
		answer.example = given ?? exampleOf(answer.schema, schemas, "all");
	}
}
