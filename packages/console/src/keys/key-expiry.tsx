import { Badge } from "../ui/data/badge.tsx";
import { Time } from "../ui/data/time.tsx";
import { expiryState } from "./expiry.ts";
import { texts } from "./texts.ts";

/** When a key expires, marked when that is near or past. */
export function KeyExpiry({ expiresAt }: { expiresAt: string | null }) {
	const state = expiryState(expiresAt, Date.now());
	if (expiresAt === null) return <span className="text-soft">{texts.never}</span>;
	if (state === "expired") return <Badge tone="bad">{texts.expired}</Badge>;
	return (
		<span className={state === "soon" ? "font-medium text-warn" : "text-soft"}>
			<Time value={expiresAt} />
		</span>
	);
}
