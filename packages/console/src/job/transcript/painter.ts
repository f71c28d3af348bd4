// Marks stretches of text without an element for each: the browser paints ranges of text by their names in theme.css.
export type Stretch = { from: number; to: number };
export type PainterName = "spoken" | "unsure" | "found" | "found-now" | "edited";

const isSupported = typeof CSS !== "undefined" && "highlights" in CSS;

export type Painter = {
	name: PainterName;
	/** Replaces what is marked in one paragraph. */
	paint: (element: Element, stretches: readonly Stretch[]) => void;
	clear: () => void;
	end: () => void;
};

/** Creates what marks text under a name of theme.css. A browser without highlights shows the text unmarked. */
export function createPainter(name: PainterName, priority = 0): Painter {
	if (!isSupported) return { name, paint: () => {}, clear: () => {}, end: () => {} };
	const highlight = new Highlight();
	highlight.priority = priority;
	CSS.highlights.set(name, highlight);
	const painted = new Map<Element, StaticRange[]>();
	const remove = (element: Element) => {
		for (const range of painted.get(element) ?? []) highlight.delete(range);
		painted.delete(element);
	};
	return {
		name,
		paint: (element, stretches) => {
			remove(element);
			const text = element.firstChild;
			if (!(text instanceof Text) || stretches.length === 0) return;
			const { length } = text;
			const ranges = stretches
				.filter(({ to }) => to <= length)
				.map(
					({ from, to }) =>
						new StaticRange({ startContainer: text, startOffset: from, endContainer: text, endOffset: to }),
				);
			for (const range of ranges) highlight.add(range);
			painted.set(element, ranges);
		},
		clear: () => {
			highlight.clear();
			painted.clear();
		},
		end: () => {
			if (CSS.highlights.get(name) === highlight) CSS.highlights.delete(name);
		},
	};
}
