import type { Revision } from "@parley/contracts/batch/revisions";
import { useState } from "react";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { formatClock } from "../ui/format.ts";
import { Dialog } from "../ui/overlays/dialog.tsx";
import type { Merge } from "./draft/merge.ts";
import { texts } from "./texts.ts";

const t = texts.merge;

type Props = {
	latest: Revision;
	merge: Merge;
	/** Called with the draft on top of the latest revision. */
	onMerge: (draft: Map<number, string>, andSave: boolean) => void;
	onClose: () => void;
};

/** Offers to put one's changes on top of what somebody else has saved meanwhile. */
export function MergeDialog({ latest, merge, onMerge, onClose }: Props) {
	const [choices, setChoices] = useState<Record<number, "mine" | "theirs">>({});
	const finish = (andSave: boolean) => {
		const draft = new Map(merge.draft);
		for (const [index, { place, mine }] of merge.conflicts.entries())
			if ((choices[index] ?? "mine") === "mine") draft.set(place, mine);
		onMerge(draft, andSave);
	};
	return (
		<Dialog
			title={t.title}
			description={t.description(latest.author_name ?? t.somebody, latest.revision)}
			width="large"
			onClose={onClose}
			actions={
				<>
					<Button onClick={() => finish(false)}>{t.look}</Button>
					<Button look="lead" data-autofocus="" onClick={() => finish(true)}>
						{t.save}
					</Button>
				</>
			}
		>
			{merge.merged > 0 && <p className="text-sm">{t.merged(merge.merged)}</p>}
			{merge.conflicts.length > 0 && <h3 className="mt-3 mb-2 text-sm font-semibold">{t.conflicts}</h3>}
			<ul className="space-y-4">
				{merge.conflicts.map((conflict, index) => (
					<li key={`${conflict.place} ${conflict.start}`}>
						<fieldset>
							<legend className="tabular mb-1 font-mono text-xs text-soft">
								{formatClock(conflict.start)}
							</legend>
							<div className="grid gap-2 sm:grid-cols-2">
								{(["mine", "theirs"] as const).map((side) => {
									const isChosen = (choices[index] ?? "mine") === side;
									return (
										<label
											key={side}
											className={classes(
												"cursor-pointer rounded-lg border p-3",
												isChosen ? "border-lead bg-lead-wash" : "border-line hover:bg-hover",
											)}
										>
											<span className="mb-1 flex items-center gap-2 text-xs font-medium">
												<input
													type="radio"
													className="check"
													name={`conflict-${index}`}
													checked={isChosen}
													onChange={() => setChoices({ ...choices, [index]: side })}
												/>
												{t[side]}
											</span>
											<span dir="auto" className="block font-serif text-base wrap-anywhere">
												{conflict[side]}
											</span>
										</label>
									);
								})}
							</div>
						</fieldset>
					</li>
				))}
			</ul>
		</Dialog>
	);
}
