import type { AuditResource } from "@parley/contracts/agents/audit-log";
import { useQuery } from "@tanstack/react-query";
import { useScope } from "../api/session.ts";
import { actorNamesQuery } from "../people/actors.ts";
import { Button } from "../ui/controls/button.tsx";
import { DayField } from "../ui/controls/day-field.tsx";
import { Select } from "../ui/controls/field.tsx";
import { icons } from "../ui/icons.tsx";
import type { AuditSearch } from "./audit-search.ts";
import { texts } from "./texts.ts";

const t = texts.filters;

type Props = { search: AuditSearch; onChange: (change: Partial<AuditSearch>) => void };

export function AuditFilters({ search, onChange }: Props) {
	const names = useQuery({ ...actorNamesQuery, enabled: useScope("keys:manage") });
	const isFiltered = [search.resource, search.id, search.actor, search.since, search.until].some(Boolean);
	const actors = Object.fromEntries([...(names.data ?? [])].map(([actor, name]) => [actor, name ?? actor]));
	return (
		<div className="mb-3 flex flex-wrap items-center gap-2">
			<div className="w-36">
				<Select
					label={t.resource}
					isLabelHidden
					size="small"
					options={{ "": t.anyResource, ...texts.resources }}
					value={search.resource ?? ""}
					onChange={({ target }) =>
						onChange({ resource: (target.value || undefined) as AuditResource | undefined, id: undefined })
					}
				/>
			</div>
			{(names.data || search.actor) && (
				<div className="w-40">
					<Select
						label={t.who}
						isLabelHidden
						size="small"
						options={{ "": t.anybody, ...(search.actor && { [search.actor]: search.actor }), ...actors }}
						value={search.actor ?? ""}
						onChange={({ target }) => onChange({ actor: target.value || undefined })}
					/>
				</div>
			)}
			<DayField
				label={t.since}
				max={search.until}
				value={search.since}
				onChange={(since) => onChange({ since })}
			/>
			<DayField
				label={t.until}
				min={search.since}
				value={search.until}
				onChange={(until) => onChange({ until })}
			/>
			{isFiltered && (
				<Button
					size="small"
					look="quiet"
					onClick={() =>
						onChange({
							...{ resource: undefined, id: undefined, actor: undefined },
							...{ since: undefined, until: undefined },
						})
					}
				>
					{icons.close}
					{t.clear}
				</Button>
			)}
		</div>
	);
}
