import type { JobRow } from "@parley/db/batch/jobs";

/** Returns the name of a channel, counted from 0: its label or its number. */
export const channelName = ({ jobConfig }: Pick<JobRow, "jobConfig">, channel: number): string =>
	jobConfig.transcription_config.channel_diarization_labels?.[channel] ?? `channel_${channel + 1}`;
