import type { Sentence } from "../language-engine.ts";

/** A call to a shop: the first half is about headphones that come back, the second about an invoice. */
export const CALL: readonly Sentence[] = `Thank you for calling, how can I help you today?
I want to return the headphones that I bought last week.
The left headphone makes a terrible noise and the battery dies after an hour.
I am very sorry to hear that.
Do you have the order number?
Yes, the order number is four seven one one.
I see the order, the headphones were delivered on Monday.
You can return the headphones within thirty days.
We will send you a return label by email.
Print the return label and put it on the box.
Will I get a refund for the delivery as well?
The refund covers the headphones and the delivery.
The refund takes five working days.
That is great, thank you very much.
By the way, my invoice for the subscription looks wrong.
The subscription was billed twice in March.
I am really annoyed, the invoice is not good.
Let me check the invoice of your subscription.
Indeed the subscription was billed twice, we will correct the invoice.
You get a credit on the next invoice.
Wonderful, I am happy with that.
Is there anything else?
No, that was all, goodbye.`
	.split("\n")
	.map((text, index) => ({ text, start: index * 9, end: index * 9 + 8 }));

/** As a recogniser without punctuation writes it. */
export const BARE_CALL: readonly Sentence[] = CALL.map((sentence) => ({
	...sentence,
	text: sentence.text.toLowerCase().replace(/[.,?]/g, ""),
}));
