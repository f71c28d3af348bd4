import { createStore } from "../ui/store.ts";

/** `off` until the first event stream opens. */
export const liveState = createStore<"off" | "live" | "reconnecting">("off");
