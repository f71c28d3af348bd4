import { lazy, Suspense, useEffect } from "react";
import { useScope } from "../api/session.ts";
import { useStore } from "../ui/store.ts";
import { restoreUploads, uploads } from "../uploads/uploader.ts";

const UploadList = lazy(() => import("../uploads/upload-list.tsx"));

/** The uploads of this tab, on every screen. */
export function UploadTray() {
	const list = useStore(uploads);
	const mayWrite = useScope("batch:write");
	useEffect(() => {
		if (mayWrite) void restoreUploads();
	}, [mayWrite]);
	if (list.length === 0) return null;
	return (
		<Suspense>
			<UploadList uploads={list} />
		</Suspense>
	);
}
