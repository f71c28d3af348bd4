import type { Scope } from "@parley/contracts/shared/scopes";
import { type ComponentProps, useId } from "react";
import { useScope, useSession } from "../../api/session.ts";
import { texts } from "../texts.ts";
import { Button } from "./button.tsx";

type Props = ComponentProps<typeof Button> & { scope: Scope };

/** A button for what a scope allows. Without that scope it stays in its place, does nothing, and says why. */
export function AllowedButton({ scope, children, ...props }: Props) {
	const isAllowed = useScope(scope);
	const reason = useReason();
	const id = useId();
	if (isAllowed) return <Button {...props}>{children}</Button>;
	return (
		<span className="inline-flex" title={reason}>
			<Button
				{...props}
				type="button"
				aria-disabled="true"
				aria-describedby={id}
				onClick={(event) => event.preventDefault()}
			>
				{children}
			</Button>
			<span id={id} className="sr-only">
				{reason}
			</span>
		</span>
	);
}

/** Says why the user may not do something. */
export function useReason(): string {
	const { role } = useSession();
	return role ? texts.roleLacks(texts.roles[role]) : texts.keyLacks;
}
