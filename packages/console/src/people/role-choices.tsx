import type { Role } from "@parley/contracts/shared/roles";
import { Choice } from "../ui/controls/choice.tsx";
import { texts as shared } from "../ui/texts.ts";
import { ROLE_LIST } from "./people-api.ts";
import { texts } from "./texts.ts";

type Props = { role: Role; isDisabled: (role: Role) => boolean; onChoose: (role: Role) => void };

/** The roles as choices, each with what it may do. */
export const RoleChoices = ({ role, isDisabled, onChoose }: Props) =>
	ROLE_LIST.map((one) => (
		<Choice
			key={one}
			name="role"
			label={shared.roles[one]}
			hint={texts.roleHints[one]}
			isChosen={role === one}
			isDisabled={isDisabled(one)}
			onChoose={() => onChoose(one)}
		/>
	));
