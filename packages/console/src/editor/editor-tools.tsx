import type { ReactNode } from "react";
import { classes } from "../ui/classes.ts";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { icons } from "../ui/icons.tsx";
import { texts } from "./texts.ts";

type ActionsProps = {
	canUndo: boolean;
	canRedo: boolean;
	onUndo: () => void;
	onRedo: () => void;
	canSave: boolean;
	isSaving: boolean;
	onSave: () => void;
};

/** Undo, redo and save. */
export const EditorActions = ({
	canUndo,
	canRedo,
	onUndo,
	onRedo,
	canSave,
	isSaving,
	onSave,
}: ActionsProps) => (
	<>
		<IconButton
			label={texts.undo}
			shortcut="Control+Z"
			icon={icons.undo}
			disabled={!canUndo}
			onClick={onUndo}
		/>
		<IconButton
			label={texts.redo}
			shortcut="Control+Shift+Z"
			icon={icons.redo}
			size="icon-small"
			disabled={!canRedo}
			onClick={onRedo}
		/>
		<Button
			look="lead"
			size="small"
			busy={isSaving}
			disabled={!canSave}
			onClick={onSave}
			title={`${texts.save} (Ctrl+S)`}
		>
			{isSaving ? texts.saving : texts.save}
		</Button>
	</>
);

type ToolsProps = {
	isFinding: boolean;
	isReviewing: boolean;
	onFind: () => void;
	onReview: () => void;
	onSpeakers: () => void;
	onHistory: () => void;
	/** Undo, redo and save. */
	actions: ReactNode;
};

/** What helps to edit, below the player. */
export const EditorTools = ({
	isFinding,
	isReviewing,
	onFind,
	onReview,
	onSpeakers,
	onHistory,
	actions,
}: ToolsProps) => (
	<div className="mt-2 flex flex-wrap items-center gap-1 border-t border-line pt-2">
		<Tool icon={icons.search} label={texts.findReplace} isOn={isFinding} onPress={onFind} />
		<Tool icon={icons.warning} label={texts.review} isOn={isReviewing} onPress={onReview} />
		<Tool icon={icons.people} label={texts.speakers} onPress={onSpeakers} />
		<Tool icon={icons.history} label={texts.history} onPress={onHistory} />
		<div className="ml-auto flex items-center gap-1">{actions}</div>
	</div>
);

type ToolProps = { icon: ReactNode; label: string; isOn?: boolean; onPress: () => void };

const Tool = ({ icon, label, isOn, onPress }: ToolProps) => (
	<button
		type="button"
		aria-pressed={isOn}
		onClick={onPress}
		className={classes(
			"inline-flex h-7 cursor-pointer items-center gap-1.5 rounded-md px-2 text-xs font-medium transition-colors",
			isOn ? "bg-lead-wash text-lead" : "text-soft hover:bg-hover hover:text-ink",
		)}
	>
		{icon}
		<span className="max-sm:sr-only">{label}</span>
	</button>
);
