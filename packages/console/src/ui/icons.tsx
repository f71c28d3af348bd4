import type { ReactNode } from "react";

const icon = (children: ReactNode) => (
	<svg
		viewBox="0 0 16 16"
		className="size-4 shrink-0"
		fill="none"
		stroke="currentColor"
		strokeWidth="1.4"
		strokeLinecap="round"
		strokeLinejoin="round"
		aria-hidden="true"
	>
		{children}
	</svg>
);

export const icons = {
	home: icon(<path d="M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5H9.8V9.5H6.2v4H3a.5.5 0 0 1-.5-.5z" />),
	jobs: icon(<path d="M2 8h1.5M5 5.5v5M8 3v10M11 5.5v5M12.5 8H14" />),
	search: icon(<path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2" />),
	tools: icon(<path d="m5.5 4.5-3 3.5 3 3.5m5-7 3 3.5-3 3.5" />),
	agents: icon(
		<path d="M8 2v2M4 4.5h8a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1ZM6 8v1m4-1v1" />,
	),
	keys: icon(
		<path d="M10 9.5a3.5 3.5 0 1 0-3.2-2L2.5 11.8v1.7h2v-1.4H6v-1.4h1.3l.6-.6c.6.3 1.3.4 2.1.4Zm.8-4.3h.1" />,
	),
	webhooks: icon(
		<path d="M8 4.5a1.8 1.8 0 1 1 1.5-.8l2 3.6M4.6 9.6a1.8 1.8 0 1 0 1.6 2.8H10M6.5 3.7l-2 5.9m7-2.3a2.6 2.6 0 1 1-1.6 4.9" />,
	),
	usage: icon(<path d="M2 13.5h12M4 11V7.5m4 3.5V3m4 8V5.5" />),
	audit: icon(<path d="M4 2.5h6l2.5 2.5v8.5H4zM6.5 8h4m-4 2.5h4m-4-5h1.5" />),
	people: icon(
		<path d="M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Zm-4 5.6c0-2 1.7-3.4 4-3.4s4 1.4 4 3.4m.3-5.9a2 2 0 1 0-.6-3.8m1.4 6.5c1.8.2 2.9 1.5 2.9 3.2" />,
	),
	settings: icon(<path d="M2.5 4.5h6m3 0h2m-11 7h2m3 0h6M10 3v3M6 10v3" />),
	vault: icon(<path d="M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2M8 9.6v1.6" />),
	mcp: icon(<path d="M5.5 2v3.5m5-3.5v3.5m-7 0h9V8a4.5 4.5 0 0 1-9 0zM8 12.5V14" />),
	reference: icon(
		<path d="M8 4c-1.5-1-3.4-1.3-5.5-1v9.5c2-.3 4 0 5.5 1 1.5-1 3.5-1.3 5.5-1V3C11.4 2.7 9.5 3 8 4Zm0 0v9.5" />,
	),
	play: icon(<path d="M4.5 2.8v10.4l8.4-5.2z" fill="currentColor" />),
	pause: icon(<path d="M5 3v10M11 3v10" strokeWidth="2.4" />),
	back: icon(<path d="M4 3.5v3.2h3.2M4.3 6.5a5 5 0 1 1-.8 3.3" />),
	forward: icon(<path d="M12 3.5v3.2H8.8M11.7 6.5a5 5 0 1 0 .8 3.3" />),
	down: icon(<path d="m4.5 6.5 3.5 3.5 3.5-3.5" />),
	up: icon(<path d="m4.5 9.5 3.5-3.5 3.5 3.5" />),
	left: icon(<path d="M9.5 4.5 6 8l3.5 3.5" />),
	right: icon(<path d="M6.5 4.5 10 8l-3.5 3.5" />),
	sort: icon(<path d="m5 6.5 3-3 3 3m-6 3 3 3 3-3" />),
	check: icon(<path d="m3 8.5 3.2 3L13 4.5" />),
	close: icon(<path d="m4 4 8 8m0-8-8 8" />),
	plus: icon(<path d="M8 3v10M3 8h10" />),
	menu: icon(<path d="M2.5 4.5h11M2.5 8h11m-11 3.5h11" />),
	more: icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.4" />),
	copy: icon(<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />),
	download: icon(<path d="M8 2.5v7.5m-3-3 3 3 3-3m-8.5 6.5h11" />),
	upload: icon(<path d="M8 10.5V3M5 6l3-3 3 3m-8.5 7.5h11" />),
	link: icon(
		<path d="M6.7 9.3a2.5 2.5 0 0 0 3.6 0l2.2-2.2a2.5 2.5 0 0 0-3.6-3.6l-.9.9m1.3 2.3a2.5 2.5 0 0 0-3.6 0L3.5 8.9a2.5 2.5 0 0 0 3.6 3.6l.9-.9" />,
	),
	folder: icon(
		<path d="M2 4a.8.8 0 0 1 .8-.8h3.4l1.6 1.8h5.4a.8.8 0 0 1 .8.8v6.4a.8.8 0 0 1-.8.8H2.8a.8.8 0 0 1-.8-.8z" />,
	),
	trash: icon(<path d="M2.5 4.5h11m-7-2h3m-5.5 2 .6 9h6.8l.6-9M6.7 7v4m2.6-4v4" />),
	stop: icon(<path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4" />),
	retry: icon(<path d="M13 3v3.5H9.5M12.7 6.5A5 5 0 1 0 13 8.9" />),
	edit: icon(<path d="M10.5 3 13 5.5l-7.5 7.5H3v-2.5zM9 4.5 11.5 7" />),
	undo: icon(<path d="M5.5 3 2.5 6l3 3m-3-3h7a4 4 0 0 1 0 8H6" />),
	redo: icon(<path d="m10.5 3 3 3-3 3m3-3h-7a4 4 0 0 0 0 8H10" />),
	history: icon(<path d="M3 3v3h3M3.2 6A5.5 5.5 0 1 1 2.5 9M8 5.5V8l2 1.5" />),
	warning: icon(<path d="M8 2.5 14.2 13.5H1.8zM8 6.5v3.2m0 1.9v.1" />),
	info: icon(<path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-6.8v3.6M8 5v.1" />),
	filter: icon(<path d="M2.5 4h11M4.5 8h7m-5 4h3" />),
	loop: icon(
		<path d="M11 2l2.5 2.2L11 6.5M13 4.2H5A2.5 2.5 0 0 0 2.5 6.7v1M5 14l-2.5-2.2L5 9.5m-2 2.3h8a2.5 2.5 0 0 0 2.5-2.5v-1" />,
	),
	follow: icon(<path d="M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10Zm0-11.5V5m0 6v3.5M1.5 8H5m6 0h3.5" />),
	sun: icon(
		<path d="M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm0-9.5v1m0 11v1M1.5 8h1m11 0h1M3.4 3.4l.7.7m7.8 7.8.7.7m0-9.2-.7.7M4.1 11.9l-.7.7" />,
	),
	moon: icon(<path d="M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7Z" />),
	system: icon(<path d="M2.5 3h11v7.5h-11zM6 13.5h4m-2-3v3" />),
	keyboard: icon(<path d="M1.5 4h13v8h-13zM4 6.5h.01m2.7 0h.01m2.6 0h.01m2.6 0h.01M5 9.5h6" />),
	signOut: icon(<path d="M6.5 2.5h-4v11h4m3.5-8.5 3 3-3 3m3-3H6" />),
	external: icon(<path d="M6.5 3h-4v10.5H13v-4M9.5 2.5h4v4m0-4L7.5 8.5" />),
	panel: icon(<path d="M2 3h12v10H2zm7.5 0v10" />),
	speaker: icon(
		<path d="M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-5 6c0-2.3 2.2-3.8 5-3.8s5 1.5 5 3.8" />,
	),
	skip: icon(<path d="M3 4l5 4-5 4zm6 0 5 4-5 4z" fill="currentColor" />),
} as const;

export type IconName = keyof typeof icons;
