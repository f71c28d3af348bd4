import { Link, type LinkProps } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { classes } from "../classes.ts";
import { IconButton } from "../controls/button.tsx";
import { useShortcuts } from "../controls/shortcuts.ts";
import { icons } from "../icons.tsx";
import { Skeleton } from "../skeleton.tsx";
import { texts } from "../texts.ts";

export type Column<Row> = {
	id: string;
	header: string;
	cell: (row: Row) => ReactNode;
	/** Name under which the API sorts by it. */
	sortBy?: string;
	isNumeric?: boolean;
	/** Width from which the column is shown. */
	from?: "sm" | "md" | "lg";
	/** Width as a class. The others share the rest. */
	width?: string;
};

export type Sort = { by: string; order: "asc" | "desc" };

type Props<Row> = {
	/** Description of the rows for screen readers. */
	label: string;
	columns: Column<Row>[];
	/** Absent while they load. */
	rows: Row[] | undefined;
	/** Unique among the rows. */
	rowId: (row: Row) => string;
	/** Returns the display name of a row. */
	rowName: (row: Row) => string;
	/** Screen of a row. The first column links to it. */
	rowLink?: (row: Row) => LinkProps;
	sort?: Sort;
	onSort?: (sort: Sort) => void;
	selected?: ReadonlySet<string>;
	onSelect?: (selected: ReadonlySet<string>) => void;
	/** Row in the preview. */
	peek?: string | undefined;
	onPeek?: (id: string | undefined) => void;
	/** Whether newer rows are on their way. */
	isStale?: boolean;
	/** Shown in place of the rows when there are none. */
	empty: ReactNode;
	/** Rows to reserve while they load. */
	expected?: number;
};

const FROM = { sm: "max-sm:hidden", md: "max-md:hidden", lg: "max-lg:hidden" } as const;

/** A table whose rows are reached with J and K, previewed with Space, opened with Enter and selected with X. */
export function DataTable<Row>(props: Props<Row>) {
	const { label, columns, rows, rowId, rowName, rowLink, sort, onSort, selected, onSelect, peek, onPeek } =
		props;
	const body = useRef<HTMLTableSectionElement>(null);
	useRowShortcuts(props, body);
	if (rows?.length === 0) return props.empty;
	const ids = rows?.map(rowId) ?? [];
	const isAllSelected = ids.length > 0 && ids.every((id) => selected?.has(id));

	const toggle = (changed: string[], isOn: boolean) => {
		const next = new Set(selected);
		for (const id of changed) isOn ? next.add(id) : next.delete(id);
		onSelect?.(next);
	};

	return (
		<table
			className="w-full table-fixed border-collapse text-sm"
			aria-busy={rows === undefined || props.isStale}
		>
			<caption className="sr-only">{label}</caption>
			<thead>
				<tr className="border-b border-line-strong text-left">
					{onSelect && (
						<th scope="col" className="w-9 py-2 pl-1">
							<input
								type="checkbox"
								className="check align-middle"
								aria-label={texts.selectAll}
								checked={isAllSelected}
								onChange={(event) => toggle(ids, event.target.checked)}
							/>
						</th>
					)}
					{columns.map((column) => (
						<HeaderCell key={column.id} column={column} {...(sort && { sort })} {...(onSort && { onSort })} />
					))}
					{onPeek && (
						<th scope="col" className="w-10 max-sm:hidden">
							<span className="sr-only">{texts.rowActions}</span>
						</th>
					)}
				</tr>
			</thead>
			<tbody ref={body}>
				{rows === undefined && (
					<SkeletonRows
						columns={columns}
						count={props.expected ?? 8}
						before={Boolean(onSelect)}
						after={Boolean(onPeek)}
					/>
				)}
				{rows?.map((row) => {
					const id = rowId(row);
					const isSelected = selected?.has(id);
					return (
						<tr
							key={id}
							data-row={id}
							className={classes(
								"group relative h-11 border-b border-line transition-colors focus-within:bg-hover hover:bg-hover",
								(isSelected || peek === id) && "bg-lead-wash hover:bg-lead-wash",
							)}
						>
							{onSelect && (
								<td className="pl-1">
									<input
										type="checkbox"
										className="check relative z-1 align-middle"
										aria-label={texts.selectRow(rowName(row))}
										checked={isSelected ?? false}
										onChange={(event) => toggle([id], event.target.checked)}
									/>
								</td>
							)}
							{columns.map((column, index) => (
								<td
									key={column.id}
									className={classes(
										"truncate px-3 first:pl-0 last:pr-0",
										column.isNumeric && "tabular text-right",
										column.from && FROM[column.from],
									)}
								>
									{index === 0 && rowLink ? (
										<Link {...rowLink(row)} data-row-link="" className="row-link block truncate font-medium">
											{column.cell(row)}
										</Link>
									) : (
										column.cell(row)
									)}
								</td>
							))}
							{onPeek && (
								<td className="text-right max-sm:hidden">
									<IconButton
										label={texts.peek}
										icon={icons.panel}
										size="icon-small"
										aria-expanded={peek === id}
										onClick={() => onPeek(peek === id ? undefined : id)}
										className="relative z-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100"
									/>
								</td>
							)}
						</tr>
					);
				})}
			</tbody>
		</table>
	);
}

function HeaderCell<Row>({
	column,
	sort,
	onSort,
}: {
	column: Column<Row>;
	sort?: Sort;
	onSort?: (sort: Sort) => void;
}) {
	const { sortBy } = column;
	const order = sort && sort.by === sortBy ? sort.order : undefined;
	return (
		<th
			scope="col"
			aria-sort={order && (order === "asc" ? "ascending" : "descending")}
			className={classes(
				"px-3 py-2 text-xs font-medium text-soft first:pl-0 last:pr-0",
				column.isNumeric && "text-right",
				column.from && FROM[column.from],
				column.width,
			)}
		>
			{sortBy && onSort ? (
				<button
					type="button"
					title={texts.sortBy(column.header)}
					onClick={() => onSort({ by: sortBy, order: order === "desc" ? "asc" : "desc" })}
					className="-mx-1 inline-flex cursor-pointer items-center gap-0.5 rounded-sm px-1 hover:text-ink"
				>
					{column.header}
					<span className={order ? "text-ink" : "opacity-0"}>{order === "asc" ? icons.up : icons.down}</span>
				</button>
			) : (
				column.header
			)}
		</th>
	);
}

type SkeletonRowsProps<Row> = { columns: Column<Row>[]; count: number; before: boolean; after: boolean };

function SkeletonRows<Row>({ columns, count, before, after }: SkeletonRowsProps<Row>) {
	return Array.from({ length: count }, (_, row) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: rows to come have no identity
		<tr key={row} className="h-11 border-b border-line">
			{before && <td />}
			{columns.map((column, index) => (
				<td key={column.id} className={classes("px-3 first:pl-0", column.from && FROM[column.from])}>
					<Skeleton
						className={classes("h-3.5", index === 0 ? "w-3/5" : "w-16", column.isNumeric && "ml-auto")}
					/>
				</td>
			))}
			{after && <td className="max-sm:hidden" />}
		</tr>
	));
}

/** Keys of the rows. The row with the focus is the current one. */
function useRowShortcuts<Row>(
	props: Props<Row>,
	body: React.RefObject<HTMLTableSectionElement | null>,
): void {
	const { rows = [], rowId, rowLink, selected, onSelect, peek, onPeek } = props;
	const ids = rows.map(rowId);
	const group = props.label;
	const elementOf = (id: string | undefined) =>
		id === undefined
			? undefined
			: body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] [data-row-link]`);
	const current = () => document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row ?? peek;
	const move = (step: 1 | -1) => {
		const at = ids.indexOf(current() ?? "");
		const id = ids[at === -1 ? (step === 1 ? 0 : ids.length - 1) : at + step];
		const element = elementOf(id);
		if (!element) return;
		element.focus();
		element.scrollIntoView({ block: "nearest" });
		if (peek !== undefined) onPeek?.(id);
	};
	useShortcuts(
		rowLink
			? [
					{ keys: "arrowdown", label: texts.moveDown, group, run: () => move(1) },
					{ keys: "arrowup", label: texts.moveUp, group, run: () => move(-1) },
					{ keys: "j", label: texts.moveDown, group, run: () => move(1) },
					{ keys: "k", label: texts.moveUp, group, run: () => move(-1) },
					{ keys: "enter", label: texts.openRow, group, run: () => elementOf(current())?.click() },
					...(onPeek
						? [
								{
									...{ keys: "space", label: texts.previewRow, group },
									run: () => {
										const id = current();
										if (id !== undefined) onPeek(peek === id ? undefined : id);
									},
								},
							]
						: []),
					...(onSelect
						? [
								{
									...{ keys: "x", label: texts.selectCurrent, group },
									run: () => {
										const id = current();
										if (id === undefined) return;
										const next = new Set(selected);
										if (!next.delete(id)) next.add(id);
										onSelect(next);
									},
								},
							]
						: []),
				]
			: [],
	);
}
