import { useLayoutEffect, useSyncExternalStore } from "react";
import { formatDate, formatDateSeconds, formatDistance, formatUtc } from "../format.ts";
import { createStore } from "../store.ts";

const TICK_MS = 30_000;
/** Times that appear together share one moment. */
const FRESH_MS = 1_000;

const clock = createStore(Date.now());
let watchers = 0;
let timer = 0;

function refresh(): void {
	if (Math.abs(Date.now() - clock.get()) > FRESH_MS) clock.set(Date.now);
}

/** The clock goes on while a time is shown. Browsers slow it down in a hidden tab, so it is set when the tab is seen again. */
function watchClock(then: () => void): () => void {
	const stop = clock.subscribe(then);
	if (watchers++ === 0) {
		timer = window.setInterval(refresh, TICK_MS);
		document.addEventListener("visibilitychange", refresh);
	}
	return () => {
		stop();
		if (--watchers > 0) return;
		clearInterval(timer);
		document.removeEventListener("visibilitychange", refresh);
	};
}

function useNow(value: string): number {
	// A time that is new on the page is often newer than the last tick.
	// biome-ignore lint/correctness/useExhaustiveDependencies: another time needs the present moment
	useLayoutEffect(refresh, [value]);
	return useSyncExternalStore(watchClock, clock.get);
}

type Props = {
	value: string;
	/** Shows date and time instead of a distance, to the second where asked. */
	exact?: boolean | "seconds";
};

/** A time in the viewer's zone, as a distance while it is near. The tooltip shows it in UTC. */
export function Time({ value, exact = false }: Props) {
	const now = useNow(value);
	const distance = exact ? undefined : formatDistance(value, now);
	return (
		<time
			dateTime={value}
			title={`${formatDate(value)}\n${formatUtc(value)}`}
			className="tabular whitespace-nowrap"
		>
			{distance ?? (exact === "seconds" ? formatDateSeconds(value) : formatDate(value))}
		</time>
	);
}
