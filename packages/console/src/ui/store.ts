import { useSyncExternalStore } from "react";

export type Store<T> = {
	get: () => T;
	set: (change: (old: T) => T) => void;
	subscribe: (then: () => void) => () => void;
};

/** Creates a value that lives outside React and that components may watch. */
export function createStore<T>(initial: T): Store<T> {
	let value = initial;
	const watchers = new Set<() => void>();
	return {
		get: () => value,
		set: (change) => {
			value = change(value);
			for (const then of watchers) then();
		},
		subscribe: (then) => {
			watchers.add(then);
			return () => watchers.delete(then);
		},
	};
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);
