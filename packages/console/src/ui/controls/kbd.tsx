const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const NAMES: Record<string, string> = {
	mod: isMac ? "⌘" : "Ctrl",
	shift: isMac ? "⇧" : "Shift",
	enter: "↵",
	escape: "Esc",
	space: "Space",
	arrowdown: "↓",
	arrowup: "↑",
	arrowleft: "←",
	arrowright: "→",
};

/** Keys as they are printed on the keyboard. `mod+k` is one chord, `g j` two keys in turn. */
export function Kbd({ keys }: { keys: string }) {
	return (
		<span className="inline-flex items-center gap-1">
			{keys.split(" ").map((chord) => (
				<kbd
					key={chord}
					className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-sunken px-1 font-sans text-xs text-soft"
				>
					{chord
						.split("+")
						.map((key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key))
						.join(isMac ? "" : "+")}
				</kbd>
			))}
		</span>
	);
}
