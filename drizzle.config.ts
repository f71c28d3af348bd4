import { defineConfig } from "drizzle-kit";

export default defineConfig({
	dialect: "sqlite",
	schema: "./packages/db/src/**/!(*.test).ts",
	out: "./migrations",
});
