import type { CreatedKey } from "@parley/contracts/platform/keys";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "../ui/data/code-block.tsx";
import { SecretDialog } from "../ui/overlays/secret-dialog.tsx";
import { toastFailure } from "../ui/overlays/toast.tsx";
import { KeyForm } from "./key-form.tsx";
import { createTexts as t } from "./texts.ts";

/** Asks what a key is for, creates it and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
	const queries = useQueryClient();
	const [created, setCreated] = useState<CreatedKey>();
	if (!created) {
		return (
			<KeyForm
				onClose={onClose}
				onCreated={(key) => {
					void queries.invalidateQueries({ queryKey: ["keys"] });
					if (key.key !== null) return setCreated(key);
					toastFailure(t.lost);
					onClose();
				}}
			/>
		);
	}
	return (
		<SecretDialog
			title={t.createdTitle(created.label)}
			label={t.secretLabel}
			value={created.key ?? ""}
			onClose={() => {
				setCreated(undefined);
				onClose();
			}}
		>
			{created.family === "agent" ? (
				<AgentUse agentId={created.agent_id ?? ""} secret={created.key ?? ""} />
			) : (
				<>
					<p className="mb-2 text-soft">{t.useIt}</p>
					<CodeBlock label={t.useIt} text={exampleCall(created)} />
				</>
			)}
		</SecretDialog>
	);
}

/** What a voice runtime or an MCP client is given. */
function AgentUse({ agentId, secret }: { agentId: string; secret: string }) {
	const agent = `${location.origin}/v1/agents/${agentId}`;
	const uses = [
		[t.agentRuntime, `export PARLEY_AGENT_KEY=${secret}`],
		[t.agentMcp, `${agent}/mcp`],
		[t.agentTry, `curl ${agent}/tools \\\n  -H "Authorization: Bearer $PARLEY_AGENT_KEY"`],
	] as const;
	return uses.map(([label, text]) => (
		<div key={label} className="mt-3 first:mt-0">
			<p className="mb-2 text-soft">{label}</p>
			<CodeBlock label={label} text={text} className="[&_pre]:whitespace-pre-wrap [&_pre]:wrap-anywhere" />
		</div>
	));
}

/** A call to try the key with. The key itself is a variable of the shell. */
function exampleCall({ family }: CreatedKey): string {
	const path = family === "batch" ? "/v1/batch/jobs" : "/v1/me";
	return `curl ${location.origin}${path} \\\n  -H "Authorization: Bearer $PARLEY_API_KEY"`;
}
