import type { VaultReference } from "@parley/contracts/agents/secrets";
import { Badge, type Tone } from "../ui/data/badge.tsx";
import { texts } from "./texts.ts";

const TONES: Record<VaultReference["classification"], Tone> = {
	active: "good",
	draft: "warn",
	historical: "plain",
};

/** What uses an entry, and where in it. */
export const References = ({ references }: { references: VaultReference[] }) => (
	<ul className="divide-y divide-line text-sm">
		{references.map(({ resource_type, resource_id, resource_name, location, classification }) => (
			<li key={`${resource_type}-${resource_id}-${location}`} className="flex items-start gap-3 py-1.5">
				<span className="min-w-0 grow">
					<span className="text-soft">{texts.resources[resource_type]}</span> {resource_name}
					<code className="block truncate font-mono text-xs text-soft">{location}</code>
				</span>
				<Badge tone={TONES[classification]}>{texts.uses[classification]}</Badge>
			</li>
		))}
	</ul>
);
