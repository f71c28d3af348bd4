import { createStore } from "../ui/store.ts";

export type Theme = "system" | "light" | "dark";
const KEY = "parley:theme";
const isTheme = (value: string | null): value is Theme => value === "light" || value === "dark";
const stored = localStorage.getItem(KEY);

/** The chosen theme. `public/theme.js` applies it before the first paint. */
export const theme = createStore<Theme>(isTheme(stored) ? stored : "system");

export function setTheme(value: Theme): void {
	theme.set(() => value);
	if (value === "system") {
		localStorage.removeItem(KEY);
		delete document.documentElement.dataset.theme;
	} else {
		localStorage.setItem(KEY, value);
		document.documentElement.dataset.theme = value;
	}
}
