import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { createPainter, type Painter, type PainterName, type Stretch } from "./painter.ts";

type Options = {
	box: RefObject<HTMLElement | null>;
	/** What the elements of the paragraphs are made of: when it changes, they are others. */
	paragraphs: unknown;
	/** What is marked in a paragraph, by the name of the mark. */
	marksOf: (paragraph: number) => Partial<Record<PainterName, readonly Stretch[]>>;
	names: readonly PainterName[];
	/** When one of these changes, the marks do. */
	inputs: readonly unknown[];
};

/** Marks stretches of text in the paragraphs that are near the screen, so that their number does not matter. */
export function usePaint({ box, paragraphs, marksOf, names, inputs }: Options): void {
	const near = useRef(new Set<Element>());
	const painters = useRef<Painter[]>([]);
	const paint = useRef<(element: Element) => void>(() => {});
	paint.current = (element) => {
		const marks = marksOf(Number((element as HTMLElement).dataset.p));
		for (const painter of painters.current) painter.paint(element, marks[painter.name] ?? []);
	};
	const key = names.join();
	useLayoutEffect(() => {
		const created = key.split(",").map((name, order) => createPainter(name as PainterName, order));
		painters.current = created;
		return () => {
			for (const painter of created) painter.end();
		};
	}, [key]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: other paragraphs are other elements
	useEffect(() => {
		if (!box.current) return;
		const seen = new IntersectionObserver(
			(entries) => {
				for (const { target, isIntersecting } of entries) {
					if (isIntersecting) {
						near.current.add(target);
						paint.current(target);
					} else if (near.current.delete(target))
						for (const painter of painters.current) painter.paint(target, []);
				}
			},
			{ rootMargin: "600px" },
		);
		for (const element of box.current.querySelectorAll("[data-p]")) seen.observe(element);
		return () => {
			seen.disconnect();
			near.current.clear();
			for (const painter of painters.current) painter.clear();
		};
	}, [box, paragraphs]);
	useEffect(() => {
		for (const element of near.current) paint.current(element);
	}, [...inputs]);
}
