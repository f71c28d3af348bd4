/**
 * The cron by which a local stack reports that it has just started: no worker holds a lease and no message waits in a queue.
 * A deployment has no such cron.
 */
export const STACK_STARTED = "@started";
