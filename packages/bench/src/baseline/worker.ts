// What every figure is compared with: the framework alone, with one read by primary key.
import type { D1Database } from "@cloudflare/workers-types";
import { Hono } from "hono";

const app = new Hono<{ Bindings: { DB: D1Database } }>();
app.get("/organisations/:id", async (c) => {
	const row = await c.env.DB.prepare("SELECT * FROM organisations WHERE id = ?")
		.bind(c.req.param("id"))
		.first();
	return c.json(row);
});
app.post("/proxy", async (c) => {
	const target = c.req.header("x-target") ?? "";
	return fetch(target, { method: "POST", body: await c.req.arrayBuffer() });
});
export default app;
