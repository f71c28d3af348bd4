import { expect, test } from "vitest";
import { z } from "zod";
import { createSchemaWriter } from "./schemas.ts";

const Colour = z.enum(["red", "green"]).meta({ id: "Colour" });
const Paint = z.strictObject({ colour: Colour.nullable().default(null) }).meta({ id: "Paint" });
const Wall = z.object({ paint: Paint, colour: Colour }).meta({ id: "Wall" });

test("a named schema that may be null says so, wherever it is met first", () => {
	const { write, finish } = createSchemaWriter();
	write(Paint, "output");
	expect(finish().components.Paint?.properties).toEqual({
		colour: { default: null, anyOf: [{ $ref: "#/components/schemas/Colour" }, { type: "null" }] },
	});
});

test("a schema of two sides that differ has two names, and so has what holds it", () => {
	const { write, finish } = createSchemaWriter();
	const [sent, answered] = [write(Wall, "input"), write(Wall, "output")];
	const { components, resolve } = finish();
	expect(Object.keys(components).sort()).toEqual(["Colour", "Paint", "PaintInput", "Wall", "WallInput"]);
	expect(resolve(sent, "input")).toEqual({ $ref: "#/components/schemas/WallInput" });
	expect(resolve(answered, "output")).toEqual({ $ref: "#/components/schemas/Wall" });
	expect(components.WallInput?.properties).toEqual({
		paint: { $ref: "#/components/schemas/PaintInput" },
		colour: { $ref: "#/components/schemas/Colour" },
	});
	expect([components.Paint?.required, components.PaintInput?.required]).toEqual([["colour"], undefined]);
});

test("a strict object is closed, any other open, on both sides", () => {
	const { write, finish } = createSchemaWriter();
	for (const side of ["input", "output"] as const) write(Wall, side);
	const { components } = finish();
	for (const name of ["Paint", "PaintInput"])
		expect(components[name]).toHaveProperty("additionalProperties", false);
	for (const name of ["Wall", "WallInput"])
		expect(components[name]).not.toHaveProperty("additionalProperties");
});

test("what only repeats is left out", () => {
	const { write, finish } = createSchemaWriter();
	const text = write(
		z.object({ id: z.uuid(), n: z.int(), map: z.record(z.string(), z.int().min(1)) }),
		"input",
	);
	expect(finish().resolve(text, "input").properties).toEqual({
		id: { type: "string", format: "uuid" },
		n: { type: "integer" },
		map: { type: "object", additionalProperties: { type: "integer", minimum: 1 } },
	});
});
