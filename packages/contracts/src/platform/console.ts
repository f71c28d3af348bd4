import { z } from "zod";
import { Timestamp, Uuid } from "../shared/common.ts";
import { Role } from "../shared/roles.ts";
import { Scope } from "../shared/scopes.ts";

export const SessionDoor = z.enum(["key", "code", "local", "oidc", "access"]).meta({
	id: "SessionDoor",
	description:
		"How the session was opened: by an API key, a one-time code, the zero-step sign-in of `npm start`, an OpenID Connect provider, or Cloudflare Access.",
});
export type SessionDoor = z.infer<typeof SessionDoor>;

export const SignIn = z
	.union([
		z.strictObject({
			key: z
				.string()
				.max(200)
				.describe("An API key of the consumer family. The browser need not keep it.")
				.meta({ example: "parley_cu_3vXo8pT1mZrQe5Yk2LwN7uBd9HsGfJ4aC6xQaR01x7Qa" }),
		}),
		z.strictObject({
			code: z
				.string()
				.max(200)
				.describe("A one-time code of `POST /v1/console/codes`")
				.meta({ example: "q0X7sG1mZrQe5Yk2LwN7uBd9HsGfJ4aC6xQaR01x7Qa" }),
		}),
	])
	.meta({ id: "SignIn", example: { key: "parley_cu_3vXo8pT1mZrQe5Yk2LwN7uBd9HsGfJ4aC6xQaR01x7Qa" } });
export type SignIn = z.infer<typeof SignIn>;

const session = {
	id: Uuid,
	door: SessionDoor,
	created_at: Timestamp.describe("Time of the sign-in"),
	expires_at: Timestamp.describe(
		"Time at which the session ends unless it is used. Each use moves it to twelve hours later, until seven days after the sign-in.",
	),
};

/** Person or key that is signed in, and their permissions. */
export const ConsoleSession = z
	.object({
		actor: z.string().describe("Identity in the audit log: `user:<id>` or `api_key:<id>`"),
		user: z
			.object({
				id: Uuid,
				name: z.string().nullable().describe("Name of the person"),
				email: z.string().nullable().describe("E-mail address of the person"),
			})
			.nullable()
			.describe("Person who is signed in; null when an API key acts for nobody"),
		role: Role.nullable().describe("Role of the person; null when an API key acts for nobody"),
		scopes: z.array(Scope).describe("Scopes of the role or the API key"),
		organisation: z
			.object({
				id: Uuid,
				name: z.string().describe("Name of the organisation"),
				tier: z.string().describe("Tier of the organisation, which decides its prices"),
				features: z
					.record(z.string(), z.boolean())
					.describe("Every feature switch: true when it is on")
					.meta({ example: { code_tools: true, curated_types_creatable: false } }),
			})
			.describe("Organisation of the person or the API key"),
		session: z
			.object(session)
			.nullable()
			.describe("Session of the request; null when it carries an API key instead"),
	})
	.meta({
		id: "ConsoleSession",
		example: {
			actor: "user:01938f5e-7c00-7000-8000-0000000000d1",
			user: { id: "01938f5e-7c00-7000-8000-0000000000d1", name: "Ada Byron", email: "ada@acme.example" },
			role: "developer",
			scopes: ["tools:read", "tools:write", "batch:read", "batch:write"],
			organisation: {
				...{ id: "01938f5e-7c00-7000-8000-0000000000f1", name: "Acme Clinic", tier: "standard" },
				features: { code_tools: true, curated_types_creatable: false },
			},
			session: {
				...{ id: "01938f5e-7c00-7000-8000-0000000000c1", door: "oidc" },
				...{ created_at: "2026-11-20T09:30:00.000Z", expires_at: "2026-11-20T21:30:00.000Z" },
			},
		},
	});
export type ConsoleSession = z.infer<typeof ConsoleSession>;

/** One of the caller's sessions. */
export const SessionEntry = z
	.object({
		...session,
		user_agent: z.string().describe("Browser of the session, as it named itself"),
		last_used_at: Timestamp.describe("Time of the last use, within a minute"),
		current: z.boolean().describe("Whether this request belongs to the session"),
	})
	.meta({
		id: "SessionEntry",
		example: {
			...{ id: "01938f5e-7c00-7000-8000-0000000000c1", door: "oidc" },
			...{ created_at: "2026-11-20T09:30:00.000Z", expires_at: "2026-11-20T21:30:00.000Z" },
			user_agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/147.0",
			...{ last_used_at: "2026-11-20T09:41:00.000Z", current: true },
		},
	});
export type SessionEntry = z.infer<typeof SessionEntry>;

/** Code that opens one session, once. */
export const SignInCode = z
	.object({
		code: z.string().describe("The code. It works once, for 60 seconds."),
		url: z.string().describe("Page of the console that signs in with the code"),
		expires_at: Timestamp.describe("Time at which the code stops working"),
	})
	.meta({
		id: "SignInCode",
		example: {
			code: "q0X7sG1mZrQe5Yk2LwN7uBd9HsGfJ4aC6xQaR01x7Qa",
			url: "https://parley.example/sign-in#code=q0X7sG1mZrQe5Yk2LwN7uBd9HsGfJ4aC6xQaR01x7Qa",
			expires_at: "2026-11-20T09:31:00.000Z",
		},
	});
export type SignInCode = z.infer<typeof SignInCode>;

/** Why a sign-in with an identity provider opened no session. */
export const SIGN_IN_PROBLEMS = [
	"cancelled",
	"expired",
	"not_invited",
	"email_unverified",
	"provider_failed",
	"unavailable",
] as const;
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];

const to = z
	.string()
	.max(1000)
	.optional()
	.describe("Path of the console to go to after the sign-in; `/` when absent")
	.meta({ example: "/jobs" });
const organisation_id = Uuid.optional().describe(
	"Organisation to sign in to. The one that the person used last when absent",
);

export const StartSignIn = z.strictObject({ to, organisation_id });
export type StartSignIn = z.infer<typeof StartSignIn>;

const answered = (description: string) => z.string().max(8000).optional().describe(description);

/** What an OpenID Connect provider answers. Providers add parameters of their own. */
export const OidcAnswer = z.looseObject({
	code: answered("Authorization code"),
	state: answered("State of the sign-in that the browser began"),
	iss: answered("Issuer, as RFC 9207 adds it"),
	error: answered("Why the provider refused"),
});

/** Ways to sign in that the deployment offers. */
export const SignInDoors = z
	.object({
		key: z.boolean().describe("Whether an API key may be pasted: always true"),
		oidc: z.boolean().describe("Whether `GET /v1/console/oidc/start` leads to an identity provider"),
		access: z.boolean().describe("Whether Cloudflare Access signs people in"),
	})
	.meta({ id: "SignInDoors", example: { key: true, oidc: true, access: false } });
export type SignInDoors = z.infer<typeof SignInDoors>;
