/** The code tool that the API reference shows: it can be sent as it stands, and answers as it is shown to. */
export const QUOTE_SOURCE = `from typing import Annotated, Literal

PRICE_PER_KG = {"standard": 1.2, "express": 3.0}


def handler(
    weight_kg: Annotated[float, {"exclusiveMinimum": 0, "maximum": 30}],
    speed: Literal["standard", "express"] = "standard",
) -> dict[str, float]:
    """Quotes the price of a parcel.

    Args:
        weight_kg: Weight of the parcel in kilograms.
        speed: How soon it has to be there.
    """
    price = round(4 + weight_kg * PRICE_PER_KG[speed], 2)
    print(f"{weight_kg} kg {speed}: {price}")
    return {"price": price}
`;

export const QUOTE_DESCRIPTION = "Quotes the price of a parcel.";

export const QUOTE_ARGUMENTS = {
	type: "object",
	properties: {
		weight_kg: {
			type: "number",
			exclusiveMinimum: 0,
			maximum: 30,
			description: "Weight of the parcel in kilograms.",
		},
		speed: {
			enum: ["standard", "express"],
			type: "string",
			description: "How soon it has to be there.",
			default: "standard",
		},
	},
	required: ["weight_kg"],
	additionalProperties: false,
};

export const QUOTE_INPUT = { weight_kg: 2.5, speed: "express" };
export const QUOTE_OUTPUT = { price: 11.5 };
export const QUOTE_LOGS = ["2.5 kg express: 11.5"];
export const QUOTE_HASH = "7c12f5ebe661608c7bc47549f109a02a8e70d9a3f899f12851751b06047e022d";
