import type { ReactNode } from "react";
import { useScope } from "../api/session.ts";
import { ButtonLink, buttonClass } from "../ui/controls/button.tsx";
import { CodeBlock } from "../ui/data/code-block.tsx";
import { icons } from "../ui/icons.tsx";
import { Section } from "../ui/page.tsx";
import { texts } from "./texts.ts";

const t = texts.steps;

/** What an organisation that has nothing yet does first. */
export function FirstSteps() {
	const [mayWrite, mayKeys] = [useScope("batch:write"), useScope("keys:manage")];
	return (
		<Section title={t.title} description={t.hint}>
			<ol className="grid gap-4 lg:grid-cols-3">
				<Step
					number={1}
					title={t.job}
					text={t.jobText}
					action={
						mayWrite && (
							<ButtonLink to="/jobs" search={{ new: true }} look="lead">
								{icons.upload}
								{t.jobAction}
							</ButtonLink>
						)
					}
				/>
				<Step
					number={2}
					title={t.key}
					text={t.keyText}
					action={
						mayKeys && (
							<ButtonLink to="/keys" search={{ new: true }}>
								{t.keyAction}
							</ButtonLink>
						)
					}
				/>
				<Step
					number={3}
					title={t.call}
					text={t.callText}
					action={
						<a href="/docs" className={buttonClass()}>
							{icons.reference}
							{t.callAction}
						</a>
					}
				/>
			</ol>
			<CodeBlock label={t.sampleLabel} text={t.sample(location.origin)} className="mt-4" />
		</Section>
	);
}

type StepProps = { number: number; title: string; text: string; action: ReactNode };

const Step = ({ number, title, text, action }: StepProps) => (
	<li className="flex flex-col items-start gap-1 rounded-lg border border-line bg-raised p-5 shadow-edge">
		<span className="tabular mb-2 grid size-6 place-items-center rounded-full bg-lead-wash text-xs font-semibold text-lead">
			{number}
		</span>
		<h3 className="font-semibold">{title}</h3>
		<p className="grow text-sm text-soft">{text}</p>
		<div className="mt-3 empty:hidden">{action}</div>
	</li>
);
