import { useEffect, useRef } from "react";
import { createStore } from "../store.ts";

export type Shortcut = {
	/** `j`, `mod+k`, or `g j` for two keys in turn. */
	keys: string;
	/** Action in the imperative. */
	label: string;
	/** Heading under which the help lists it. */
	group: string;
	run: (event: KeyboardEvent) => void;
	/** Whether it also works while text is typed. */
	isGlobal?: boolean;
};

const CHORD_MS = 1_000;
const DISABLED_KEY = "parley:single-keys-off";

/** Shortcuts of what is on the page now. The one that came last wins. */
export const shortcuts = createStore<Shortcut[]>([]);
export const singleKeys = createStore(localStorage.getItem(DISABLED_KEY) === null);

export function setSingleKeys(isOn: boolean): void {
	singleKeys.set(() => isOn);
	if (isOn) localStorage.removeItem(DISABLED_KEY);
	else localStorage.setItem(DISABLED_KEY, "1");
}

/** Offers shortcuts while the component is on the page. */
export function useShortcuts(offered: Shortcut[]): void {
	const latest = useRef(offered);
	latest.current = offered;
	const signature = offered.map(({ keys, label }) => `${keys}:${label}`).join();
	// biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the list; handlers are read when a key is pressed
	useEffect(() => {
		const added = latest.current.map((shortcut, index) => ({
			...shortcut,
			run: (event: KeyboardEvent) => latest.current[index]?.run(event),
		}));
		shortcuts.set((old) => [...old, ...added]);
		return () => shortcuts.set((old) => old.filter((one) => !added.includes(one)));
	}, [signature]);
}

/** Starts listening for keys. */
export function listenForShortcuts(): () => void {
	let pressed = "";
	let timer = 0;
	const listen = (event: KeyboardEvent) => {
		if (event.defaultPrevented || event.isComposing) return;
		const chord = chordOf(event);
		const isPlain = !/^(mod|alt)\+/.test(chord);
		const isTyping = isTextEntry(event.target);
		const offered = shortcuts
			.get()
			.filter((one) => isWithinReach(event.target, one) && (!isTyping || one.isGlobal));
		const find = (keys: string) => offered.findLast((one) => one.keys === keys);
		const found = (pressed && find(`${pressed} ${chord}`)) || find(chord);
		clearTimeout(timer);
		pressed = "";
		if (isPlain && chord !== "escape" && !singleKeys.get()) return;
		if (found) {
			event.preventDefault();
			found.run(event);
		} else if (offered.some(({ keys }) => keys.startsWith(`${chord} `))) {
			pressed = chord;
			timer = window.setTimeout(() => {
				pressed = "";
			}, CHORD_MS);
		}
	};
	document.addEventListener("keydown", listen);
	return () => document.removeEventListener("keydown", listen);
}

function chordOf({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): string {
	const name = key === " " ? "space" : key.toLowerCase();
	// Shift is part of a character such as ?, but not of a letter or a named key.
	const hasShift = shiftKey && (name.length > 1 || /[a-z]/.test(name));
	return `${metaKey || ctrlKey ? "mod+" : ""}${altKey ? "alt+" : ""}${hasShift ? "shift+" : ""}${name}`;
}

const isTextEntry = (target: EventTarget | null): boolean =>
	target instanceof HTMLElement &&
	(target.isContentEditable ||
		target.closest(
			"textarea, select, input:not([type=checkbox], [type=radio], [type=range], [type=button])",
		) !== null);

/** Behind a modal dialog nothing takes keys but what is global. Enter and Space press what has the focus. */
function isWithinReach(target: EventTarget | null, { isGlobal, keys }: Shortcut): boolean {
	if (isGlobal || !(target instanceof Element)) return true;
	if (target.closest("dialog, [role=menu]")) return false;
	const isPress = keys === "enter" || (keys === "space" && !target.matches("[data-row-link]"));
	return !(isPress && target.closest("a, button, summary, input, [role=slider]"));
}
