import { useState } from "react";
import { Checkbox, Textarea } from "../ui/controls/field.tsx";
import { formTexts as t } from "./texts.ts";

type Props = {
	label: string;
	value: string;
	isHidden: boolean;
	problem?: string | undefined;
	hasFocus?: boolean;
	onChange: (value: string) => void;
};

/** A field for a value of several lines, whose letters show as dots unless somebody wants to see them. */
export function SecretField({ label, value, isHidden, problem, hasFocus = false, onChange }: Props) {
	const [isShown, setShown] = useState(false);
	return (
		<div>
			<Textarea
				label={label}
				problem={problem}
				isCode
				rows={3}
				required
				maxLength={10_000}
				autoFocus={hasFocus}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				data-1p-ignore=""
				value={value}
				onChange={({ target }) => onChange(target.value)}
				className={isHidden && !isShown ? "[-webkit-text-security:disc]" : undefined}
			/>
			{isHidden && (
				<Checkbox
					className="mt-1.5"
					label={t.show}
					checked={isShown}
					onChange={({ target }) => setShown(target.checked)}
				/>
			)}
		</div>
	);
}
