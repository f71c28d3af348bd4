/** A request as it is sent, and as "copy as curl" shows it unless it is secret. */
export type BuiltRequest = { url: string; init: RequestInit & { method: string }; isSecret: boolean };
