type Props = {
	label: string;
	value: string | undefined;
	min?: string | undefined;
	max?: string | undefined;
	onChange: (day: string | undefined) => void;
};

/** A field for a day, such as `2026-11-22`; undefined while it is empty. */
export const DayField = ({ label, value, onChange, ...bounds }: Props) => (
	<label className="flex items-center gap-1.5 text-xs text-soft">
		{label}
		<input
			type="date"
			{...bounds}
			value={value ?? ""}
			onChange={({ target }) => onChange(target.value || undefined)}
			className="h-7 w-32 rounded-md border border-edge bg-raised px-2 text-sm text-ink"
		/>
	</label>
);
