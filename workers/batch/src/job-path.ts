import { z } from "zod";

/** The path of one job. That the id is alphanumeric is checked by the verbs: its refusal is one fixed sentence. */
export const JobPath = z.object({ job_id: z.string().describe("Letters and digits") });
