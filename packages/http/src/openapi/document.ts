import type { OpenAPIHono } from "@hono/zod-openapi";
import { VERSION } from "@parley/contracts/shared/version";
import { z } from "zod";
import type { AppEnv } from "../app-env.ts";
import type { BaseEnv } from "../base-env.ts";
import type { Plane } from "../planes/plane.ts";
import { type RouteSpec, successStatus } from "../route.ts";
import { type Example, errorExample, isSpecific } from "./examples/error-examples.ts";
import { type Components, exampleOf, type JsonSchema } from "./examples/examples.ts";
import { codesByStatus, toOperation } from "./operation.ts";
import { createSchemaWriter, type Side } from "./schemas/schemas.ts";
import { describeTaggedUnions } from "./schemas/tagged-unions.ts";
import { toWebhookOperation, type Webhook } from "./webhook.ts";

export type ApiInfo = { title: string; version: string; description: string };

type Media = {
	schema?: JsonSchema;
	example?: unknown;
	examples?: Record<string, Example | { $ref: string }>;
};
type Body = { description?: string; content?: Record<string, Media> };
type Parameter = { name: string; in: string; description?: string; example?: unknown; schema: JsonSchema };
export type Operation = {
	operationId?: string;
	summary?: string;
	description?: string;
	"x-required-scope"?: string;
	tags?: string[];
	parameters?: Parameter[];
	requestBody?: Body;
	responses?: Record<string, Body>;
};
export type OpenApiDocument = {
	openapi: string;
	info: ApiInfo & { license?: { name: string; identifier: string } };
	servers?: { url: string }[];
	tags?: { name: string; description?: string }[];
	components?: {
		schemas?: Components;
		examples?: Record<string, Example>;
		securitySchemes?: Record<string, unknown>;
	};
	paths: Record<string, Record<string, Operation>>;
	webhooks?: Record<string, Record<string, Operation>>;
};

type DescribedRouter = { plane: Plane; specs: readonly RouteSpec[] };
type Described = {
	title: string;
	description: string;
	tags?: Record<string, string>;
	webhooks?: Record<string, Webhook>;
};

const JSON_TYPE = "application/json";

/**
 * Returns the OpenAPI 3.1 document of an app. It is generated from the schemas that validate, with an example of every JSON
 * body and of every error that an operation answers. Registers the planes' security schemes with the app.
 */
export function openApiDocument<E extends BaseEnv>(
	app: OpenAPIHono<AppEnv<E>>,
	{ title, description, tags = {}, webhooks = {} }: Described,
	routers: readonly DescribedRouter[],
): OpenApiDocument {
	const described = routers.flatMap(({ plane, specs }) => specs.map((spec) => ({ plane, spec })));
	for (const { plane } of routers) describeSecurity(app, plane);
	const document = app.getOpenAPI31Document({
		openapi: "3.1.0",
		info: { title, version: VERSION.slice(1), description },
		servers: [{ url: "/" }],
		tags: [...new Set(described.map(({ spec }) => spec.tag))].map((name) => ({
			name,
			...(tags[name] && { description: tags[name] }),
		})),
	}) as unknown as OpenApiDocument;
	document.info.license = { name: "MIT", identifier: "MIT" };
	if (Object.keys(webhooks).length > 0) document.webhooks = describeWebhooks(webhooks);
	describeBodies(document, described, webhooks);
	for (const { plane, spec } of described) addExamples(document, plane, spec);
	return document;
}

const describeWebhooks = (webhooks: Record<string, Webhook>): OpenApiDocument["webhooks"] =>
	Object.fromEntries(
		Object.entries(webhooks).map(([name, webhook]) => [
			name,
			{ post: toWebhookOperation(webhook) as unknown as Operation },
		]),
	);

/** Puts the schemas of all bodies into the document, in place of what the registry made of them. */
function describeBodies(
	document: OpenApiDocument,
	described: readonly { plane: Plane; spec: RouteSpec }[],
	webhooks: Record<string, Webhook>,
): void {
	const writer = createSchemaWriter();
	const written: { media: Media; text: string; side: Side }[] = [];
	const write = (media: Media, side: Side, schema: unknown) => {
		if (schema instanceof z.ZodType) written.push({ media, text: writer.write(schema, side), side });
	};
	const describe = (body: Body | undefined, side: Side, declared: unknown) => {
		const { content = {} } = (declared ?? {}) as { content?: Record<string, { schema?: unknown }> };
		for (const [type, media] of Object.entries(body?.content ?? {}))
			write(media, side, content[type]?.schema);
	};
	for (const { plane, spec } of described) {
		const { request, responses } = toOperation(plane, spec);
		const operation = operationOf(document, spec);
		describe(operation?.requestBody, "input", request?.body);
		for (const [status, response] of Object.entries(operation?.responses ?? {}))
			describe(response, "output", responses[status]);
	}
	for (const [name, { body }] of Object.entries(webhooks)) {
		const media = document.webhooks?.[name]?.post?.requestBody?.content?.[JSON_TYPE];
		if (media) write(media, "output", body);
	}
	const { components, resolve } = writer.finish();
	for (const { media, text, side } of written) media.schema = resolve(text, side);
	describeTaggedUnions(
		components,
		written.flatMap(({ media }) => (media.schema ? [media.schema] : [])),
	);
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

function addExamples(document: OpenApiDocument, plane: Plane, spec: RouteSpec): void {
	const operation = operationOf(document, spec);
	const schemas = document.components?.schemas ?? {};
	const body = operation?.requestBody?.content?.[JSON_TYPE];
	if (body?.schema) body.example = spec.examples?.body ?? exampleOf(body.schema, schemas, "required");
	const codes = codesByStatus(plane, spec);
	for (const [status, response] of Object.entries(operation?.responses ?? {})) {
		const answer = response.content?.[JSON_TYPE];
		if (!answer?.schema) continue;
		const refusals = codes.get(Number(status));
		if (refusals) {
			const known = { body: body?.example, params: pathExamples(operation, schemas) };
			answer.examples = Object.fromEntries(
				refusals.map((code) => {
					const refused = errorExample(plane, spec, code, known);
					const key = `${plane.name}.${code}`;
					return [code, isSpecific(plane, code) ? refused : shareExample(document, key, refused)];
				}),
			);
			const other = spec.otherResponses?.[Number(status)];
			if (other)
				answer.examples.OTHER = {
					summary: other.description,
					value: exampleOf(answer.schema.anyOf?.at(-1) ?? {}, schemas, "all"),
				};
			continue;
		}
		const given = status === String(successStatus(spec)) ? spec.examples?.response : undefined;
		answer.example = given ?? exampleOf(answer.schema, schemas, "all");
	}
}

/** Stores an example that all operations share, and returns a reference to it. */
function shareExample(document: OpenApiDocument, key: string, example: Example): { $ref: string } {
	document.components ??= {};
	document.components.examples = { ...document.components.examples, [key]: example };
	return { $ref: `#/components/examples/${key}` };
}

const pathExamples = (operation: Operation | undefined, schemas: Components): Record<string, unknown> =>
	Object.fromEntries(
		(operation?.parameters ?? [])
			.filter((parameter) => parameter.in === "path")
			.map(({ name, example, schema }) => [
				name,
				example ?? exampleOf({ properties: { [name]: schema }, required: [name] }, schemas, "all", name),
			]),
	);
