/** A server with an OpenAI-compatible API. */
export type OpenAiServer = {
	/** Base address including the version, such as `https://api.openai.com/v1`. */
	baseUrl: string;
	apiKey?: string | undefined;
};

/** Builds the request `POST {base_url}{path}` with the server's key. */
export function postTo(
	{ baseUrl, apiKey }: OpenAiServer,
	path: `/${string}`,
	{ headers, body }: { headers: Record<string, string>; body: FormData | string },
): Request {
	const request = new Request(baseUrl.replace(/\/+$/, "") + path, { method: "POST", headers, body });
	if (apiKey) request.headers.set("authorization", `Bearer ${apiKey}`);
	return request;
}

/** Returns the secrets of a server, which must not appear in error texts. */
export const secretsOf = ({ apiKey }: OpenAiServer): string[] => (apiKey ? [apiKey] : []);
