import { z } from "zod";
import { Timestamp, Uuid } from "../shared/common.ts";
import { Scope } from "../shared/scopes.ts";

const AGENT_ID = "01938f5e-7c00-7000-8000-0000000000a1";
const QUERY =
	"response_type=code&client_id=q0X7sG1mZrQe5Yk2&redirect_uri=http%3A%2F%2F127.0.0.1%3A6274%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&resource=https%3A%2F%2Fparley.example%2Fv1%2Fmcp";

const query = z
	.string()
	.min(1)
	.max(8_000)
	.describe("Query of the request to `/oauth/authorize`, without its question mark, at most 8000 characters")
	.meta({ example: QUERY });

export const AuthorizationQuery = z.strictObject({ request: query });
export type AuthorizationQuery = z.infer<typeof AuthorizationQuery>;

export const DecideAuthorization = z
	.strictObject({
		request: query,
		decision: z.enum(["approve", "deny"]).describe("Whether the client gets access"),
	})
	.meta({ id: "DecideAuthorization", example: { request: QUERY, decision: "approve" } });
export type DecideAuthorization = z.infer<typeof DecideAuthorization>;

const resource = z
	.object({
		url: z.string().describe("Address of the MCP endpoint. Access is bound to it."),
		agent: z
			.object({
				id: Uuid,
				name: z.string().nullable().describe("Name of the agent; null once it is deleted"),
			})
			.nullable()
			.describe("Agent whose endpoint it is; null for the management server"),
	})
	.describe("MCP endpoint that the client asks for");

const scopes = z.array(Scope).describe("Scopes that the client gets");

/** What an application asks a person for. */
export const AuthorizationRequest = z
	.object({
		client: z
			.object({
				id: z.string().describe("Id of the client"),
				name: z.string().describe("Name that the client gave itself. Nobody has verified it."),
			})
			.describe("Application that asks for access"),
		redirect_host: z.string().describe("Host to which the access is sent"),
		redirect_is_local: z.boolean().describe("Whether that host is the person's own computer"),
		resource,
		scopes,
	})
	.meta({
		id: "AuthorizationRequest",
		example: {
			client: { id: "q0X7sG1mZrQe5Yk2", name: "MCP Inspector" },
			...{ redirect_host: "127.0.0.1", redirect_is_local: true },
			resource: {
				url: `https://parley.example/v1/agents/${AGENT_ID}/mcp`,
				agent: { id: AGENT_ID, name: "Front desk" },
			},
			scopes: ["runtime:use"],
		},
	});
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;

/** Where the browser goes after a decision. */
export const AuthorizationDecision = z
	.object({ redirect_to: z.string().describe("Address of the client, to which the browser goes next") })
	.meta({
		id: "AuthorizationDecision",
		example: { redirect_to: "http://127.0.0.1:6274/callback?error=access_denied&state=af0ifjsldkj" },
	});
export type AuthorizationDecision = z.infer<typeof AuthorizationDecision>;

/** Access that the person gave to an application. */
export const OAuthGrant = z
	.object({
		id: z.string().describe("Id of the grant"),
		client: z.object({
			id: z.string().describe("Id of the client"),
			name: z.string().describe("Name that the client gave itself"),
		}),
		redirect_host: z.string().describe("Host to which the access was sent"),
		resource,
		scopes,
		created_at: Timestamp.describe("Time of the approval"),
		expires_at: Timestamp.nullable().describe(
			"Time at which the access ends unless the client uses it. Each use moves it to 30 days later.",
		),
	})
	.meta({
		id: "OAuthGrant",
		example: {
			id: "Xk2LwN7uBd9HsGfJ",
			client: { id: "q0X7sG1mZrQe5Yk2", name: "MCP Inspector" },
			redirect_host: "127.0.0.1",
			resource: { url: "https://parley.example/v1/mcp", agent: null },
			scopes: ["tools:read", "agents:read"],
			...{ created_at: "2026-11-20T09:30:00.000Z", expires_at: "2026-12-20T09:30:00.000Z" },
		},
	});
export type OAuthGrant = z.infer<typeof OAuthGrant>;
