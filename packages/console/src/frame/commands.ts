import { useEffect, useRef } from "react";
import type { IconName } from "../ui/icons.tsx";
import { createStore } from "../ui/store.ts";

export type Command = { label: string; icon: IconName; keys?: string; run: () => void };

/** Actions of what is on the page now, for the command palette. */
export const commands = createStore<Command[]>([]);

/** Offers actions in the command palette while the component is on the page. */
export function useCommands(offered: Command[]): void {
	const latest = useRef(offered);
	latest.current = offered;
	const signature = offered.map(({ label }) => label).join();
	// biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the list; handlers are read when one is chosen
	useEffect(() => {
		const added = latest.current.map((command, index) => ({
			...command,
			run: () => latest.current[index]?.run(),
		}));
		commands.set((old) => [...old, ...added]);
		return () => commands.set((old) => old.filter((command) => !added.includes(command)));
	}, [signature]);
}
