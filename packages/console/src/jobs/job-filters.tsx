import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { DayField } from "../ui/controls/day-field.tsx";
import { Input, Select } from "../ui/controls/field.tsx";
import { icons } from "../ui/icons.tsx";
import { STATUS_LABELS } from "./job-status.tsx";
import { speechModelsQuery } from "./jobs-api.ts";
import type { JobsSearch } from "./jobs-search.ts";
import { STATUS_FILTERS, texts } from "./texts.ts";

const t = texts.filters;
const STATUSES: Record<string, string> = {
	"": t.anyStatus,
	running: t.running,
	DONE: STATUS_LABELS.DONE,
	FAILED: STATUS_LABELS.FAILED,
	CANCELLED: STATUS_LABELS.CANCELLED,
};

type Props = { search: JobsSearch; onChange: (change: Partial<JobsSearch>) => void };

export function JobFilters({ search, onChange }: Props) {
	const models = useQuery(speechModelsQuery);
	const [isOpen, setOpen] = useState(false);
	const chosen =
		Object.entries(STATUS_FILTERS).find(([, list]) => list.join() === search.status?.join())?.[0] ?? "";
	const count = [
		search.status,
		search.model,
		search.tag,
		search.reference,
		search.after,
		search.before,
	].filter(Boolean).length;
	return (
		<div className="mb-3">
			<div className="mb-2 sm:hidden">
				<Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
					{icons.filter}
					{t.title}
					{count > 0 && ` (${count})`}
				</Button>
			</div>
			<div className={classes("flex-wrap items-end gap-2 sm:flex", isOpen ? "flex" : "hidden")}>
				<div className="w-32">
					<Select
						label={t.status}
						isLabelHidden
						size="small"
						options={STATUSES}
						value={chosen}
						onChange={({ target }) => onChange({ status: STATUS_FILTERS[target.value] })}
					/>
				</div>
				<div className="w-40">
					<Select
						label={t.model}
						isLabelHidden
						size="small"
						options={{
							"": t.anyModel,
							...(search.model && { [search.model]: search.model }),
							...Object.fromEntries(models.data?.map(({ code, name }) => [code, name]) ?? []),
						}}
						value={search.model ?? ""}
						onChange={({ target }) => onChange({ model: target.value || undefined })}
					/>
				</div>
				<TextFilter label={t.tag} value={search.tag} onCommit={(tag) => onChange({ tag })} />
				<TextFilter
					label={t.reference}
					value={search.reference}
					onCommit={(reference) => onChange({ reference })}
				/>
				<DayField
					label={t.after}
					value={search.after}
					max={search.before}
					onChange={(after) => onChange({ after })}
				/>
				<DayField
					label={t.before}
					value={search.before}
					min={search.after}
					onChange={(before) => onChange({ before })}
				/>
				{count > 0 && (
					<Button
						size="small"
						look="quiet"
						onClick={() =>
							onChange({
								...{ status: undefined, model: undefined, tag: undefined },
								...{ reference: undefined, after: undefined, before: undefined },
							})
						}
					>
						{icons.close}
						{t.clear}
					</Button>
				)}
			</div>
		</div>
	);
}

type FilterProps = {
	label: string;
	value: string | undefined;
	onCommit: (value: string | undefined) => void;
};

/** A filter that applies on Enter and when the field is left, so that each letter is no request. */
function TextFilter({ label, value, onCommit }: FilterProps) {
	const commit = (text: string) => text.trim() !== (value ?? "") && onCommit(text.trim() || undefined);
	return (
		<div className="w-28">
			<Input
				key={value ?? ""}
				label={label}
				isLabelHidden
				placeholder={label}
				size="small"
				defaultValue={value ?? ""}
				onBlur={({ target }) => commit(target.value)}
				onKeyDown={(event) => event.key === "Enter" && commit(event.currentTarget.value)}
			/>
		</div>
	);
}
