import { useEffect, useState } from "react";
import { classes } from "../ui/classes.ts";
import { useStore } from "../ui/store.ts";
import { liveState } from "./live.ts";
import { texts } from "./texts.ts";

/** Says above the page that there is no connection, while there is none. */
export function ConnectionNotice() {
	const [isOnline, setOnline] = useState(navigator.onLine);
	useEffect(() => {
		const update = () => setOnline(navigator.onLine);
		window.addEventListener("online", update);
		window.addEventListener("offline", update);
		return () => {
			window.removeEventListener("online", update);
			window.removeEventListener("offline", update);
		};
	}, []);
	return (
		<div role="status">
			{!isOnline && (
				<p className="border-b border-line bg-warn-wash px-4 py-2 text-sm text-warn sm:px-6 lg:px-9">
					{texts.offline}
				</p>
			)}
		</div>
	);
}

/** Shows whether changes appear by themselves. */
export function LiveDot() {
	const state = useStore(liveState);
	if (state === "off") return null;
	const isLive = state === "live";
	return (
		<span
			title={isLive ? texts.liveHint : texts.reconnectingHint}
			className={classes("flex items-center gap-1.5 px-1.5 text-xs", isLive ? "text-soft" : "text-warn")}
		>
			<span
				className={classes("size-1.5 rounded-full", isLive ? "bg-good" : "pulse bg-warn")}
				aria-hidden="true"
			/>
			{isLive ? texts.live : texts.reconnecting}
		</span>
	);
}
