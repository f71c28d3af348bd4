import { useEffect } from "react";
import { formatDate, formatDistance, formatUtc } from "./format.ts";
import { createStore, useStore } from "./store.ts";

const clock = createStore(Date.now());

function useMinutes(): number {
	useEffect(() => {
		const timer = setInterval(() => clock.set(Date.now), 30_000);
		return () => clearInterval(timer);
	}, []);
	return useStore(clock);
}

/** A time in the viewer's zone, as a distance while it is near. The tooltip shows it in UTC. */
export function Time({ value, exact = false }: { value: string; exact?: boolean }) {
	const now = useMinutes();
	const distance = exact ? undefined : formatDistance(value, now);
	return (
		<time
			dateTime={value}
			title={`${formatDate(value)}\n${formatUtc(value)}`}
			className="tabular whitespace-nowrap"
		>
			{distance ?? formatDate(value)}
		</time>
	);
}
