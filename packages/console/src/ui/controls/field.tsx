import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "../classes.ts";
import { icons } from "../icons.tsx";

const box =
	"w-full rounded-md border border-edge bg-raised text-sm text-ink placeholder:text-soft aria-invalid:border-bad disabled:opacity-60";
const heights = { small: "h-7", medium: "h-8" } as const;

type Labelled = {
	label: ReactNode;
	/** Shown below the field. */
	hint?: ReactNode;
	/** Why the value is refused. */
	problem?: string | undefined;
	/** Shows the label to screen readers alone. */
	isLabelHidden?: boolean;
};

function useField({ hint, problem }: Labelled) {
	const id = useId();
	const described = classes(hint && `${id}-hint`, problem && `${id}-problem`) || undefined;
	return { id, "aria-invalid": problem ? true : undefined, "aria-describedby": described } as const;
}

function Field({
	id,
	label,
	hint,
	problem,
	isLabelHidden,
	children,
}: Labelled & { id: string; children: ReactNode }) {
	return (
		<div className="min-w-0">
			<label htmlFor={id} className={isLabelHidden ? "sr-only" : "mb-1.5 block text-sm font-medium"}>
				{label}
			</label>
			{children}
			{hint && (
				<p id={`${id}-hint`} className="mt-1.5 text-xs text-soft">
					{hint}
				</p>
			)}
			{problem && (
				<p id={`${id}-problem`} role="alert" className="mt-1.5 text-xs text-bad">
					{problem}
				</p>
			)}
		</div>
	);
}

type InputProps = Labelled &
	Omit<ComponentProps<"input">, "size"> & { size?: keyof typeof heights; isCode?: boolean };

export function Input({
	label,
	hint,
	problem,
	isLabelHidden,
	size = "medium",
	isCode,
	className,
	...props
}: InputProps) {
	const labelled = { label, hint, problem, ...(isLabelHidden && { isLabelHidden }) };
	const field = useField(labelled);
	return (
		<Field {...labelled} id={field.id}>
			<input
				{...props}
				{...field}
				data-autofocus={props.autoFocus || undefined}
				className={classes(box, heights[size], "px-2.5", isCode && "font-mono", className)}
			/>
		</Field>
	);
}

type TextareaProps = Labelled & ComponentProps<"textarea"> & { isCode?: boolean };

export function Textarea({
	label,
	hint,
	problem,
	isLabelHidden,
	isCode,
	className,
	...props
}: TextareaProps) {
	const labelled = { label, hint, problem, ...(isLabelHidden && { isLabelHidden }) };
	const field = useField(labelled);
	return (
		<Field {...labelled} id={field.id}>
			<textarea
				{...props}
				{...field}
				data-autofocus={props.autoFocus || undefined}
				className={classes(box, "px-2.5 py-1.5", isCode && "font-mono", className)}
			/>
		</Field>
	);
}

type SelectProps = Labelled &
	Omit<ComponentProps<"select">, "size"> & { size?: keyof typeof heights; options: Record<string, string> };

export function Select({
	label,
	hint,
	problem,
	isLabelHidden,
	size = "medium",
	options,
	className,
	...props
}: SelectProps) {
	const labelled = { label, hint, problem, ...(isLabelHidden && { isLabelHidden }) };
	const field = useField(labelled);
	return (
		<Field {...labelled} id={field.id}>
			<div className="relative">
				<select
					{...props}
					{...field}
					className={classes(box, heights[size], "appearance-none truncate pr-7 pl-2.5", className)}
				>
					{Object.entries(options).map(([value, text]) => (
						<option key={value} value={value}>
							{text}
						</option>
					))}
				</select>
				<span className="pointer-events-none absolute inset-y-0 right-2 flex items-center text-soft">
					{icons.down}
				</span>
			</div>
		</Field>
	);
}

type CheckboxProps = ComponentProps<"input"> & {
	label: ReactNode;
	hint?: ReactNode;
	isLabelHidden?: boolean;
};

export function Checkbox({ label, hint, isLabelHidden, className, ...props }: CheckboxProps) {
	return (
		<label className={classes("inline-flex cursor-pointer items-start gap-2 text-sm", className)}>
			<input {...props} type="checkbox" className="check mt-0.5" />
			<span className={isLabelHidden ? "sr-only" : undefined}>
				{label}
				{hint && <span className="block text-xs text-soft">{hint}</span>}
			</span>
		</label>
	);
}
