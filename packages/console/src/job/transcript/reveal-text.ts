const BELOW_PX = 48;

/** Brings a stretch of a paragraph's text into the part of the page that the player leaves free. */
export function revealText(element: HTMLElement, from: number, to: number): void {
	// A paragraph far away has no layout until it is near.
	if (!isNear(element)) element.scrollIntoView({ block: "center" });
	if (isTextVisible(element, from, to)) return;
	const { top } = rectOf(element, from, to);
	const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
	window.scrollBy({ top: top - (coveredPx() + window.innerHeight) / 2, behavior });
}

export function isTextVisible(element: HTMLElement, from: number, to: number): boolean {
	const { top, bottom } = rectOf(element, from, to);
	return top > coveredPx() && bottom < window.innerHeight - BELOW_PX;
}

function isNear(element: HTMLElement): boolean {
	const { top, bottom } = element.getBoundingClientRect();
	return bottom > -window.innerHeight && top < 2 * window.innerHeight;
}

/** Height that the player takes at the top of the page. */
const coveredPx = (): number => document.querySelector<HTMLElement>("[data-covers]")?.offsetHeight ?? 0;

function rectOf(element: HTMLElement, from: number, to: number): DOMRect {
	const text = element.firstChild;
	if (!(text instanceof Text) || to > text.length) return element.getBoundingClientRect();
	const range = new Range();
	range.setStart(text, from);
	range.setEnd(text, to);
	return range.getBoundingClientRect();
}
