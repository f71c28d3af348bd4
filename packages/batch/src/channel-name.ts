import type { JobRow } from "@parley/db/batch/jobs";

/** Returns the label of a channel, counted from 0: the one that the job was given, or its number. */
export const channelName = ({ jobConfig }: Pick<JobRow, "jobConfig">, channel: number): string =>
	jobConfig.transcription_config.channel_diarization_labels?.[channel] ?? `channel_${channel + 1}`;
