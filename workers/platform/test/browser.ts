import { exports } from "cloudflare:workers";

const ORIGIN = "https://parley.example";

/** A browser on a page of ours: it keeps its cookie, and sends what the console's scripts send. */
export function openBrowser(origin = ORIGIN) {
	const jar = new Map<string, string>();
	const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
	return {
		jar,
		async call<T = Record<string, unknown>>(
			method: string,
			path: string,
			{ body, headers = {} }: { body?: unknown; headers?: Record<string, string | null> } = {},
		) {
			const own = {
				"x-parley-console": "1",
				"user-agent": "Test browser",
				...(jar.size > 0 && { cookie: cookie() }),
				...(method !== "GET" && { origin }),
				...(body !== undefined && { "content-type": "application/json" }),
				...headers,
			};
			const sent = Object.entries(own).filter((pair): pair is [string, string] => pair[1] !== null);
			const response = await exports.default.fetch(
				new Request(origin + path, {
					...{ method, headers: sent, redirect: "manual" },
					...(body !== undefined && { body: JSON.stringify(body) }),
				}),
			);
			for (const line of response.headers.getSetCookie()) {
				const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
				if (value === "") jar.delete(name);
				else jar.set(name, value);
			}
			const text = await response.text();
			const isJson = response.headers.get("content-type")?.includes("json");
			return {
				status: response.status,
				headers: response.headers,
				body: (isJson ? JSON.parse(text) : text) as T,
			};
		},
	};
}

/** A browser that is signed in with an API key. */
export async function signInWith(key: string) {
	const browser = openBrowser();
	const { status } = await browser.call("POST", "/v1/console/session", { body: { key } });
	if (status !== 200) throw new Error(`The sign-in was answered ${status}`);
	return browser;
}
