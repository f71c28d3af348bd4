import { addressQuery, readAnswer } from "@parley/egress/dns-message";
import { type Answer, decode, encode } from "dns-packet";
import fc from "fast-check";
import { expect, test } from "vitest";

const name = fc.domain().filter((text) => text.length < 250);

/** In the notation of a library, which is the shortest one. */
const canonical = (address: string): string => new URL(`http://[${address}]/`).hostname.slice(1, -1);

const record = fc.oneof(
	fc.record({ type: fc.constant("A" as const), data: fc.ipV4() }),
	fc.record({ type: fc.constant("AAAA" as const), data: fc.ipV6().map(canonical) }),
	fc.record({ type: fc.constant("CNAME" as const), data: name }),
	fc.record({ type: fc.constant("TXT" as const), data: fc.string({ maxLength: 200 }) }),
);

test("a question is what others understand by it", () => {
	fc.assert(
		fc.property(name, fc.constantFrom("A" as const, "AAAA" as const), (asked, type) => {
			const { id, type: kind, flag_rd, questions } = decode(Buffer.from(addressQuery(asked, type)));
			expect({ id, kind, flag_rd, questions }).toEqual({
				...{ id: 0, kind: "query", flag_rd: true },
				questions: [{ name: asked, type, class: "IN" }],
			});
		}),
	);
});

test("all addresses of a response are found, with the shortest time to live", () => {
	const records = fc.array(fc.record({ name, ttl: fc.nat(0x7fffffff), record }), { maxLength: 20 });
	fc.assert(
		fc.property(name, records, (asked, given) => {
			const answers = given.map(({ record, ...rest }) => ({ ...rest, ...record }) as Answer);
			const questions = [{ type: "A" as const, name: asked }];
			const { addresses, ttlSeconds } = readAnswer(encode({ type: "response", questions, answers }));
			const expected = given.flatMap(({ record: { type, data } }) =>
				type === "A" || type === "AAAA" ? [data] : [],
			);
			expect(addresses.map((address) => (address.includes(":") ? canonical(address) : address))).toEqual(
				expected,
			);
			expect(ttlSeconds).toBe(Math.min(...given.map(({ ttl }) => ttl)));
		}),
	);
});

test("any bytes are read to an end, as an answer or as none", () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 600 }), fc.boolean(), (bytes, looksRight) => {
			if (looksRight && bytes.length > 3) bytes.set([0x81, 0x80], 2);
			try {
				for (const address of readAnswer(bytes).addresses) expect(address).toMatch(/^[\da-f.:]+$/);
			} catch (error) {
				expect(error).toBeInstanceOf(Error);
				expect(error).not.toHaveProperty("matcherResult");
			}
		}),
		{ numRuns: 2_000 },
	);
});

test("a name that points at itself does not keep anybody", () => {
	const header = [0, 0, 0x81, 0x80, 0, 0, 0xff, 0xff, 0, 0, 0, 0];
	const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1];
	expect(() => readAnswer(new Uint8Array([...header, ...record]))).toThrow(RangeError);
	const one = new Uint8Array([...header, ...record]);
	one.set([0, 1], 6);
	expect(readAnswer(one)).toEqual({ addresses: ["192.0.2.1"], ttlSeconds: 60 });
});
