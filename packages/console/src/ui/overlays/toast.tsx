import { useEffect, useState } from "react";
import { RequestFailure } from "../../api/failures.ts";
import { classes } from "../classes.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { FailureDetails } from "../failure.tsx";
import { icons } from "../icons.tsx";
import { createStore, useStore } from "../store.ts";
import { texts } from "../texts.ts";

type Tone = "good" | "bad" | "plain";
type Toast = {
	id: number;
	tone: Tone;
	text: string;
	failure?: RequestFailure;
	action?: { label: string; run: () => void };
};

const SHOWN_MS = 6_000;
const MAX_SHOWN = 4;
const toasts = createStore<Toast[]>([]);
let lastId = 0;

const add = (toast: Omit<Toast, "id">) =>
	toasts.set((old) => [...old.slice(1 - MAX_SHOWN), { ...toast, id: ++lastId }]);
const remove = (id: number) => toasts.set((old) => old.filter((toast) => toast.id !== id));

/** Reports what has happened, in the corner of the page and to screen readers. */
export const toast = (text: string, action?: Toast["action"]): void =>
	add({ tone: "good", text, ...(action && { action }) });

/** Reports what went wrong. It stays until it is dismissed. */
export function toastFailure(error: unknown): void {
	const text = error instanceof Error ? error.message : String(error);
	add({ tone: "bad", text, ...(error instanceof RequestFailure && { failure: error }) });
}

export function Toaster() {
	const shown = useStore(toasts);
	return (
		<section
			aria-label={texts.notifications}
			className="pointer-events-none fixed inset-x-0 bottom-0 z-40 mx-auto flex w-full max-w-md flex-col gap-2 p-4"
		>
			<div role="status" aria-live="polite" className="flex flex-col gap-2">
				{shown.map((toast) => (
					<ToastCard key={toast.id} toast={toast} />
				))}
			</div>
		</section>
	);
}

function ToastCard({ toast }: { toast: Toast }) {
	const [isHeld, setHeld] = useState(false);
	useEffect(() => {
		if (isHeld || toast.tone === "bad") return;
		const timer = setTimeout(() => remove(toast.id), SHOWN_MS);
		return () => clearTimeout(timer);
	}, [isHeld, toast]);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: a card that is read or pointed at stays
		<div
			onPointerEnter={() => setHeld(true)}
			onPointerLeave={() => setHeld(false)}
			onFocus={() => setHeld(true)}
			onBlur={() => setHeld(false)}
			className="rise pointer-events-auto flex items-start gap-2.5 rounded-lg border border-line bg-raised py-2.5 pr-2 pl-3 text-sm shadow-float"
		>
			<span className={classes("mt-0.5", toast.tone === "bad" ? "text-bad" : "text-good")}>
				{toast.tone === "bad" ? icons.warning : icons.check}
			</span>
			<div className="min-w-0 grow py-px wrap-anywhere">
				<p>{toast.text}</p>
				{toast.failure && <FailureDetails failure={toast.failure} />}
			</div>
			{toast.action && (
				<Button
					size="small"
					look="quiet"
					onClick={() => {
						toast.action?.run();
						remove(toast.id);
					}}
				>
					{toast.action.label}
				</Button>
			)}
			<IconButton
				label={texts.dismiss}
				icon={icons.close}
				size="icon-small"
				onClick={() => remove(toast.id)}
				className="-my-1"
			/>
		</div>
	);
}
