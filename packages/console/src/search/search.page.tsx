import type { SearchResults } from "@parley/contracts/batch/search";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { call } from "../api/client.ts";
import { isGone } from "../job/job-api.ts";
import { classes } from "../ui/classes.ts";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { icons } from "../ui/icons.tsx";
import { toastFailure } from "../ui/overlays/toast.tsx";
import { PageHeader } from "../ui/page.tsx";
import { SkeletonText } from "../ui/skeleton.tsx";
import { FoundJob } from "./found-job.tsx";
import { texts } from "./texts.ts";
import { type Clip, useClipPlayer } from "./use-clip-player.ts";

const route = getRouteApi("/shell/search");
const TYPING_MS = 250;
const MAX_LENGTH = 500;

export function SearchPage() {
	const { q = "" } = route.useSearch();
	const navigate = useNavigate({ from: "/search" });
	const find = (text: string) => void navigate({ search: text.trim() ? { q: text } : {}, replace: true });
	return (
		<>
			<PageHeader title={texts.title} />
			<SearchField query={q} onFind={find} />
			{q ? <Results query={q} /> : <Start onFind={find} />}
		</>
	);
}

type FieldProps = { query: string; onFind: (text: string) => void };

/** The field. It searches while somebody types, at their pauses. */
function SearchField({ query, onFind }: FieldProps) {
	const input = useRef<HTMLInputElement>(null);
	const [text, setText] = useState(query);
	const sent = useRef(query);
	// The address changed by other means, such as "back" or an example.
	if (sent.current !== query) {
		sent.current = query;
		setText(query);
	}
	const send = (value: string) => {
		sent.current = value.trim() ? value : "";
		onFind(value);
	};
	useEffect(() => {
		if (sent.current === "") input.current?.focus();
	}, []);
	const latest = useRef(send);
	latest.current = send;
	useEffect(() => {
		if (text === sent.current) return;
		const timer = setTimeout(() => latest.current(text), TYPING_MS);
		return () => clearTimeout(timer);
	}, [text]);
	useShortcuts([{ keys: "/", label: texts.focus, group: texts.list, run: () => input.current?.select() }]);
	const clear = () => {
		setText("");
		send("");
		input.current?.focus();
	};
	return (
		<search>
			<form
				method="post"
				onSubmit={(event) => {
					event.preventDefault();
					send(text);
				}}
				className="mb-6 flex h-11 items-center gap-2.5 rounded-lg border border-edge bg-raised pr-1.5 pl-3.5 text-soft shadow-edge focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-lead"
			>
				{icons.search}
				<input
					ref={input}
					type="search"
					aria-label={texts.label}
					placeholder={texts.placeholder}
					autoComplete="off"
					spellCheck={false}
					maxLength={MAX_LENGTH}
					dir="auto"
					value={text}
					onChange={({ target }) => setText(target.value)}
					className="h-full min-w-0 grow bg-transparent text-base text-ink outline-none placeholder:text-soft [&::-webkit-search-cancel-button]:hidden"
					onKeyDown={(event) => {
						if (event.key !== "ArrowDown") return;
						event.preventDefault();
						document.querySelector<HTMLElement>("[data-hit] [data-row-link]")?.focus();
					}}
				/>
				{text && <IconButton label={texts.clear} icon={icons.close} size="icon-small" onClick={clear} />}
			</form>
		</search>
	);
}

/** What can be searched for, with examples to press. */
const Start = ({ onFind }: { onFind: (text: string) => void }) => (
	<EmptyState icon={icons.search} title={texts.startTitle}>
		<p>{texts.start}</p>
		<ul className="mt-5 space-y-2 text-left">
			{texts.examples.map(([query, meaning]) => (
				<li key={query} className="flex flex-wrap items-center gap-x-3 gap-y-1">
					<Button size="small" onClick={() => onFind(query)}>
						<code className="font-mono">{query}</code>
					</Button>
					<span>{meaning}</span>
				</li>
			))}
		</ul>
	</EmptyState>
);

function Results({ query }: { query: string }) {
	const list = useRef<HTMLDivElement>(null);
	const player = useClipPlayer((error) => toastFailure(isGone(error) ? texts.noAudio : error));
	const results = useInfiniteQuery({
		queryKey: ["search", query],
		queryFn: ({ pageParam, signal }) =>
			call<SearchResults>("GET /v1/batch/search", { query: { q: query, cursor: pageParam }, signal }),
		initialPageParam: undefined as string | undefined,
		getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
		placeholderData: keepPreviousData,
		staleTime: 30_000,
	});
	const jobs = results.data?.pages.flatMap(({ items }) => items);
	useHitShortcuts(list, (jobId, hit) => {
		const found = jobs?.find((job) => job.job_id === jobId)?.hits[hit];
		if (found) player.toggle(clipOf(jobId, hit, found));
	});
	if (results.isError) return <Failure error={results.error} onRetry={() => void results.refetch()} />;
	if (!jobs) return <SkeletonText lines={6} />;
	return (
		<div ref={list} aria-busy={results.isPlaceholderData}>
			<p role="status" className="tabular mb-3 text-sm text-soft">
				{jobs.length > 0 && texts.found(jobs.length, results.hasNextPage)}
			</p>
			{jobs.length === 0 ? (
				<EmptyState icon={icons.search} title={texts.noneTitle}>
					{texts.noneHint}
				</EmptyState>
			) : (
				<div className={classes("space-y-8", results.isPlaceholderData && "opacity-60")}>
					{jobs.map((job) => (
						<FoundJob
							key={job.job_id}
							job={job}
							playing={player.state}
							onToggle={(hit, index) => player.toggle(clipOf(job.job_id, index, hit))}
						/>
					))}
				</div>
			)}
			{results.hasNextPage && (
				<div className="mt-8 flex justify-center">
					<Button busy={results.isFetchingNextPage} onClick={() => void results.fetchNextPage()}>
						{texts.more}
					</Button>
				</div>
			)}
		</div>
	);
}

const clipOf = (jobId: string, index: number, hit: { start_time: number; end_time: number }): Clip => ({
	...{ id: `${jobId}-${index}`, jobId },
	...{ start: hit.start_time, end: hit.end_time },
});

/** Moves among the hits with J and K. Space plays the one with the focus, Enter follows it. */
function useHitShortcuts(
	list: React.RefObject<HTMLDivElement | null>,
	play: (jobId: string, hit: number) => void,
): void {
	const move = (step: 1 | -1) => {
		const links = [...(list.current?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
		const current = document.activeElement
			?.closest("[data-hit]")
			?.querySelector<HTMLElement>("[data-row-link]");
		const at = current ? links.indexOf(current) : -1;
		const next = links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step];
		next?.focus();
		next?.scrollIntoView({ block: "nearest" });
	};
	const group = texts.list;
	useShortcuts([
		{ keys: "j", label: texts.next, group, run: () => move(1) },
		{ keys: "arrowdown", label: texts.next, group, run: () => move(1) },
		{ keys: "k", label: texts.previous, group, run: () => move(-1) },
		{ keys: "arrowup", label: texts.previous, group, run: () => move(-1) },
		{
			...{ keys: "space", label: texts.playHit, group },
			run: () => {
				const { jobId, hit } = document.activeElement?.closest<HTMLElement>("[data-hit]")?.dataset ?? {};
				if (jobId !== undefined && hit !== undefined) play(jobId, Number(hit));
			},
		},
	]);
}
