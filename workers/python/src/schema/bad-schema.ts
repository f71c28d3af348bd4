/** A schema that no value can be checked against. `message` is fit for the tool's author. */
export class BadSchema extends Error {
	override readonly name = "BadSchema";
}
