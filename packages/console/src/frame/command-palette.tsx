import type { Job, JobPage } from "@parley/contracts/batch/jobs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { call } from "../api/client.ts";
import { signOut, useSession } from "../api/session.ts";
import { jobName } from "../jobs/job-name.ts";
import { JobStatusBadge } from "../jobs/job-status.tsx";
import { classes } from "../ui/classes.ts";
import { Kbd } from "../ui/controls/kbd.tsx";
import { icons } from "../ui/icons.tsx";
import { toastFailure } from "../ui/overlays/toast.tsx";
import { useStore } from "../ui/store.ts";
import { commands } from "./commands.ts";
import { actionsFor, screensFor } from "./screens.ts";
import { texts } from "./texts.ts";
import { setTheme, type Theme } from "./theme.ts";

type Entry = {
	id: string;
	group: string;
	label: string;
	detail?: ReactNode;
	icon: ReactNode;
	keys?: string;
	run: () => void;
};

const MAX_JOBS = 6;

/** Reaches every screen, action and job by a few letters. */
export default function CommandPalette({
	onClose,
	onShortcuts,
}: {
	onClose: () => void;
	onShortcuts: () => void;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const id = useId();
	const [text, setText] = useState("");
	const [at, setAt] = useState(0);
	const entries = useEntries(text.trim(), onShortcuts);
	const current = entries[Math.min(at, entries.length - 1)];

	useEffect(() => {
		if (!dialog.current?.open) dialog.current?.showModal();
	}, []);
	useEffect(() => {
		if (current)
			list.current
				?.querySelector(`#${CSS.escape(`${id}-${current.id}`)}`)
				?.scrollIntoView({ block: "nearest" });
	}, [current, id]);

	const choose = (entry: Entry) => {
		onClose();
		entry.run();
	};
	const press = (event: KeyboardEvent) => {
		const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
		const step = steps[event.key];
		if (step) {
			event.preventDefault();
			setAt((Math.min(at, entries.length - 1) + step + entries.length) % Math.max(1, entries.length));
		} else if (event.key === "Enter" && current) {
			event.preventDefault();
			choose(current);
		}
	};
	const groups = Map.groupBy(entries, ({ group }) => group);
	return (
		<dialog
			ref={dialog}
			aria-label={texts.commands}
			onCancel={onClose}
			onClose={onClose}
			onPointerDown={(event) => event.target === dialog.current && onClose()}
			className="dialog mx-auto mt-[12vh] w-[36rem] max-w-[calc(100vw-2rem)] overflow-hidden rounded-xl border border-line bg-raised text-ink shadow-float"
		>
			<div className="flex items-center gap-2.5 border-b border-line px-4 text-soft">
				{icons.search}
				<input
					autoFocus
					role="combobox"
					aria-expanded="true"
					aria-controls={`${id}-list`}
					aria-activedescendant={current && `${id}-${current.id}`}
					aria-label={texts.commandInput}
					placeholder={texts.commandInput}
					autoComplete="off"
					spellCheck={false}
					value={text}
					onChange={(event) => {
						setText(event.target.value);
						setAt(0);
					}}
					onKeyDown={press}
					className="h-12 min-w-0 grow bg-transparent text-base text-ink outline-none placeholder:text-soft"
				/>
				<Kbd keys="escape" />
			</div>
			<div
				ref={list}
				id={`${id}-list`}
				role="listbox"
				aria-label={texts.commands}
				className="max-h-[50vh] overflow-y-auto p-1.5"
			>
				{entries.length === 0 && (
					<p className="px-3 py-8 text-center text-sm text-soft">{texts.noCommands}</p>
				)}
				{[...groups].map(([group, members]) => (
					// biome-ignore lint/a11y/useSemanticElements: a group of a listbox
					<div key={group} role="group" aria-label={group}>
						<p className="px-2.5 pt-2 pb-1 text-xs font-medium text-soft" aria-hidden="true">
							{group}
						</p>
						{members.map((entry) => (
							// biome-ignore lint/a11y/useKeyWithClickEvents: keys act on the field
							<div
								key={entry.id}
								id={`${id}-${entry.id}`}
								role="option"
								tabIndex={-1}
								aria-selected={entry === current}
								onClick={() => choose(entry)}
								onPointerMove={() => setAt(entries.indexOf(entry))}
								className={classes(
									"flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm",
									entry === current && "bg-hover",
								)}
							>
								<span className="text-soft">{entry.icon}</span>
								<span className="min-w-0 grow truncate">{entry.label}</span>
								{entry.detail}
								{entry.keys && <Kbd keys={entry.keys} />}
							</div>
						))}
					</div>
				))}
			</div>
		</dialog>
	);
}

function useEntries(text: string, onShortcuts: () => void): Entry[] {
	const { scopes } = useSession();
	const navigate = useNavigate();
	const queries = useQueryClient();
	const offered = useStore(commands);
	const jobs = useJobs(text, scopes.includes("batch:read"));
	const leave = () =>
		signOut().then(() => {
			queries.clear();
			return navigate({ to: "/sign-in", search: { signed_out: true } });
		}, toastFailure);
	const fixed: Entry[] = [
		...offered.map((command) => ({
			...command,
			id: `command-${command.label.replaceAll(/\W/g, "-")}`,
			group: texts.actions,
			icon: icons[command.icon],
		})),
		...actionsFor(scopes).map(({ label, icon, to, search }) => ({
			...{ id: `action-${label.replaceAll(/\W/g, "-")}`, group: texts.actions, label, icon: icons[icon] },
			run: () => void navigate({ to, search }),
		})),
		...screensFor(scopes).flatMap(({ screens }) =>
			screens.map(({ to, label, icon, key }) => ({
				...{
					id: `screen${to.replaceAll("/", "-")}`,
					group: texts.goTo,
					label,
					icon: icons[icon],
					keys: `g ${key}`,
				},
				run: () => void navigate({ to }),
			})),
		),
		{
			id: "reference",
			group: texts.goTo,
			label: texts.reference,
			icon: icons.reference,
			run: () => location.assign("/docs"),
		},
		...(Object.keys(texts.themes) as Theme[]).map((value) => ({
			...{
				id: `theme-${value}`,
				group: texts.general,
				label: `${texts.theme}: ${texts.themes[value]}`,
				icon: icons.sun,
			},
			run: () => setTheme(value),
		})),
		{
			id: "shortcuts",
			group: texts.general,
			label: texts.shortcuts,
			icon: icons.keyboard,
			keys: "?",
			run: onShortcuts,
		},
		{
			id: "sign-out",
			group: texts.general,
			label: texts.signOut,
			icon: icons.signOut,
			run: () => void leave(),
		},
	];
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	const matching = fixed.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
	const found = jobs.map((job) => ({
		...{ id: `job-${job.job_id}`, group: texts.jobs, label: jobName(job), icon: icons.jobs },
		detail: <JobStatusBadge job={job} />,
		run: () => void navigate({ to: "/jobs/$jobId", params: { jobId: job.job_id } }),
	}));
	const elsewhere: Entry[] =
		text.length > 1 && scopes.includes("batch:read")
			? [
					{
						...{ id: "search", group: texts.transcripts, label: texts.searchFor(text), icon: icons.search },
						run: () => void navigate({ to: "/search", search: { q: text } }),
					},
				]
			: [];
	return [...matching, ...found, ...elsewhere];
}

/** Jobs that the page knows and whose name matches, and the one whose id was typed. */
function useJobs(text: string, isAllowed: boolean): Job[] {
	const queries = useQueryClient();
	const isId = isAllowed && /^[a-zA-Z0-9]{6,128}$/.test(text);
	const { data: exact } = useQuery({
		queryKey: ["job", text],
		queryFn: ({ signal }) => call<Job>("GET /v1/batch/jobs/{job_id}", { params: { job_id: text }, signal }),
		enabled: isId,
		retry: false,
	});
	const { data: recent } = useQuery({
		queryKey: ["jobs", "recent"],
		queryFn: ({ signal }) => call<JobPage>("GET /v1/batch/jobs", { query: { page_size: 100 }, signal }),
		enabled: isAllowed && text.length > 1,
		staleTime: 30_000,
	});
	if (text.length < 2) return [];
	const lists = queries
		.getQueriesData<JobPage>({ queryKey: ["jobs"] })
		.flatMap(([, page]) => page?.items ?? []);
	const known = new Map([...lists, ...(recent?.items ?? [])].map((job) => [job.job_id, job]));
	if (exact) known.set(exact.job_id, exact);
	const wanted = text.toLowerCase();
	return [...known.values()]
		.filter(
			(job) => jobName(job).toLowerCase().includes(wanted) || job.job_id.toLowerCase().startsWith(wanted),
		)
		.slice(0, MAX_JOBS);
}
