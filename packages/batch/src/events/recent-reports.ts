import type { JobFeedMessage, JobFeedReport } from "@parley/contracts/batch/events";
import { JOB_STATUSES } from "@parley/contracts/batch/jobs";

const MAX_RECENT = 256;

/**
 * The latest reports of an organisation, so that a listener who was away for a moment misses nothing. They are in memory only:
 * an object that was evicted numbers anew under another name, and its listeners read their jobs again.
 */
export class RecentReports {
	private readonly name: string;
	private readonly messages: JobFeedMessage[] = [];
	private sequence = 0;

	/** @param name differs from the name of every other instance. */
	constructor(name: string) {
		this.name = name;
	}

	get lastId(): string {
		return `${this.name}-${this.sequence}`;
	}

	/** Numbers a report. Returns undefined for one that a later one has overtaken on its way. */
	add(report: JobFeedReport): JobFeedMessage | undefined {
		const { job_id } = report.data;
		const before = this.messages.findLast(({ event, data }) => event !== "ready" && data.job_id === job_id);
		if (before && isOutdated(report, before)) return undefined;
		this.sequence += 1;
		const message = { id: this.lastId, ...report };
		this.messages.push(message);
		if (this.messages.length > MAX_RECENT) this.messages.shift();
		return message;
	}

	/** Returns the messages after an id; undefined when some may be missing. */
	since(id: string): JobFeedMessage[] | undefined {
		const [, name, number] = /^(.+)-(\d{1,15})$/.exec(id) ?? [];
		if (name !== this.name) return undefined;
		const missed = this.sequence - Number(number);
		if (missed < 0 || missed > this.messages.length) return undefined;
		return this.messages.slice(this.messages.length - missed);
	}
}

/** Whether a report tells of an earlier state of its job than one that came before it. */
function isOutdated(report: JobFeedReport, before: { event: string; data: object }): boolean {
	if (report.event !== "job" || before.event !== "job") return false;
	const last = before.data as typeof report.data;
	const { updated_at, status, progress } = report.data;
	if (updated_at !== last.updated_at) return updated_at < last.updated_at;
	const steps = JOB_STATUSES.indexOf(status) - JOB_STATUSES.indexOf(last.status);
	return steps < 0 || (steps === 0 && progress < last.progress);
}
