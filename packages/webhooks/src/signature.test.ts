import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { createSecret, signatureHeaders } from "./signature.ts";

const text = JSON.stringify({ type: "job.completed", data: { text: "größer" } });
const signed = { id: "01a1f926-9ccd-743d-818f-e50a7ed3a380", timestamp: new Date(), body: encode(text) };

function encode(body: string): Uint8Array {
	return new TextEncoder().encode(body);
}

test("the scheme's own library verifies what each of the secrets has signed", async () => {
	const [newer, older] = [createSecret(), createSecret()];
	const headers = await signatureHeaders([newer, older], signed);
	for (const secret of [newer, older])
		expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
	expect(headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
});

test("it equals the library's signature", async () => {
	const secret = createSecret();
	const headers = await signatureHeaders([secret], signed);
	expect(headers["webhook-signature"]).toBe(new Webhook(secret).sign(signed.id, signed.timestamp, text));
	expect(headers["webhook-timestamp"]).toBe(String(Math.floor(signed.timestamp.getTime() / 1000)));
});

test("another secret, body or id is not verified", async () => {
	const secret = createSecret();
	const headers = await signatureHeaders([secret], signed);
	expect(() => new Webhook(createSecret()).verify(text, headers)).toThrow();
	expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow();
	expect(() => new Webhook(secret).verify(text, { ...headers, "webhook-id": "other" })).toThrow();
});

test("a secret is 32 bytes behind its prefix, each one another", () => {
	expect(createSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
	expect(createSecret()).not.toBe(createSecret());
});
