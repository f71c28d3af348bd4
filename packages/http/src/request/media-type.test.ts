import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";

const { call } = await createClient();
const echo = (headers: Record<string, string>) =>
	call("POST", "/v1/notes/echo", { body: '{"text":"a"}', headers });

test.each([
	"application/json",
	"application/json; charset=utf-8",
	"Application/Merge-Patch+JSON",
	"text/plain;charset=UTF-8",
	"application/x-www-form-urlencoded",
])("JSON sent as %s is read", async (type) => {
	expect((await echo({ "content-type": type })).status).toBe(200);
});

test.each(["multipart/form-data; boundary=x", "application/xml", "audio/wav", "application/octet-stream"])(
	"a body of type %s is refused by name",
	async (type) => {
		const response = await echo({ "content-type": type });
		expect(response.status).toBe(415);
		expect(await response.json()).toMatchObject({
			error: {
				code: "UNSUPPORTED_MEDIA_TYPE",
				message: `Content-Type must be application/json, not ${type.split(";")[0]}`,
			},
		});
	},
);

test("a compressed body is refused", async () => {
	const response = await echo({ "content-type": "application/json", "content-encoding": "gzip" });
	expect(response.status).toBe(415);
	expect(await response.json()).toMatchObject({ error: { code: "UNSUPPORTED_MEDIA_TYPE" } });
	expect((await echo({ "content-encoding": "identity" })).status).toBe(200);
});
