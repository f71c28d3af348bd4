/** A server that speaks OpenAI's protocol. */
export type OpenAiServer = {
	/** Up to and including the version: `https://api.openai.com/v1`. */
	baseUrl: string;
	apiKey?: string | undefined;
};

/** `POST {base_url}{path}` with the server's key. */
export function postTo(
	{ baseUrl, apiKey }: OpenAiServer,
	path: `/${string}`,
	{ headers, body }: { headers: Record<string, string>; body: FormData | string },
): Request {
	const request = new Request(baseUrl.replace(/\/+$/, "") + path, { method: "POST", headers, body });
	if (apiKey) request.headers.set("authorization", `Bearer ${apiKey}`);
	return request;
}

/** What must not appear in any error text. */
export const secretsOf = ({ apiKey }: OpenAiServer): string[] => (apiKey ? [apiKey] : []);
