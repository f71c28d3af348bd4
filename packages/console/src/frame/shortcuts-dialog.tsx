import { Checkbox } from "../ui/controls/field.tsx";
import { Kbd } from "../ui/controls/kbd.tsx";
import { setSingleKeys, shortcuts, singleKeys } from "../ui/controls/shortcuts.ts";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { useStore } from "../ui/store.ts";
import { texts } from "./texts.ts";

/** Lists the shortcuts of what is on the page now. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
	const offered = useStore(shortcuts);
	const isOn = useStore(singleKeys);
	const groups = Map.groupBy(offered, ({ group }) => group);
	return (
		<Dialog title={texts.shortcuts} description={texts.shortcutsHint} onClose={onClose} width="medium">
			<div className="grid gap-x-8 gap-y-5 pb-2 sm:grid-cols-2">
				{[...groups].map(([group, entries]) => (
					<section key={group}>
						<h3 className="mb-1.5 text-xs font-medium text-soft">{group}</h3>
						<ul className="text-sm">
							{[...Map.groupBy(entries, ({ label }) => label)].map(([label, same]) => (
								<li key={label} className="flex items-center justify-between gap-3 py-1">
									{label}
									<span className="flex gap-2">
										{[...new Set(same.map(({ keys }) => keys))].map((keys) => (
											<Kbd key={keys} keys={keys} />
										))}
									</span>
								</li>
							))}
						</ul>
					</section>
				))}
			</div>
			<div className="mt-2 border-t border-line py-3">
				<Checkbox
					label={texts.singleKeys}
					hint={texts.singleKeysHint}
					checked={isOn}
					onChange={(event) => setSingleKeys(event.target.checked)}
				/>
			</div>
		</Dialog>
	);
}
