import { z } from "zod";
import { arrayQuery, Timestamp, Uuid } from "../shared/common.ts";
import { Role } from "../shared/roles.ts";

const email = z
	.email()
	.max(254)
	.toLowerCase()
	.describe("E-mail address with which the person signs in, in any case")
	.meta({ example: "ada@acme.example" });
const name = z
	.string()
	.trim()
	.min(1)
	.max(200)
	.describe("Name of the person, 1 to 200 characters")
	.meta({ example: "Ada Byron" });

export const InviteUser = z
	.strictObject({ email, name: name.optional(), role: Role })
	.meta({ id: "InviteUser", example: { email: "ada@acme.example", role: "developer" } });
export type InviteUser = z.infer<typeof InviteUser>;

export const UpdateUser = z
	.strictObject({
		role: Role.optional(),
		name: name.nullable().optional(),
		email: email.optional().describe("E-mail address. It can change until the person has signed in with it."),
	})
	.meta({ id: "UpdateUser", example: { role: "admin" } });
export type UpdateUser = z.infer<typeof UpdateUser>;

export const UpdateMe = z
	.strictObject({
		name: name.nullable().optional(),
		email: email.optional().describe("E-mail address. Only a person who has none yet can set it."),
	})
	.meta({ id: "UpdateMe", example: { name: "Ada Byron" } });
export type UpdateMe = z.infer<typeof UpdateMe>;

/** Person of the organisation. */
export const User = z
	.object({
		id: Uuid,
		email: z
			.string()
			.nullable()
			.describe("E-mail address; null for an owner who came with an API key and has given none"),
		name: z.string().nullable().describe("Name of the person"),
		role: Role,
		status: z
			.enum(["invited", "active"])
			.describe("`invited` until the person signs in for the first time, then `active`"),
		created_by: z.string().describe("Who invited the person: `api_key:<id>` or `user:<id>`"),
		created_at: Timestamp.describe("Time of the invitation"),
		updated_at: Timestamp.describe("Time of the last change"),
		last_sign_in_at: Timestamp.nullable().describe("Time of the last sign-in; null before the first"),
	})
	.meta({
		id: "User",
		example: {
			...{ id: "01938f5e-7c00-7000-8000-0000000000d1", email: "ada@acme.example", name: "Ada Byron" },
			...{ role: "developer", status: "active" },
			created_by: "user:01938f5e-7c00-7000-8000-0000000000d0",
			...{ created_at: "2026-11-20T09:30:00.000Z", updated_at: "2026-11-20T09:30:00.000Z" },
			last_sign_in_at: "2026-11-20T11:02:00.000Z",
		},
	});
export type User = z.infer<typeof User>;

export const UsersQuery = z.strictObject({ limit: arrayQuery.limit, offset: arrayQuery.offset });
export type UsersQuery = z.infer<typeof UsersQuery>;
