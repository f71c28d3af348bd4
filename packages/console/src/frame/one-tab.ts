type Wire<T> = { type: "hello" } | { type: "message"; message: T };

/**
 * Runs work in one tab of the browser and shares what it publishes with all of them. Over HTTP/1.1 a browser opens six
 * connections to a host, so a stream in each tab would soon leave none. When the tab closes, another one takes over.
 * @param work resolves when it must not go on; this tab then gives way to another one
 * @param current returns what a tab that opens later is told first
 */
export async function inOneTab<T>(
	name: string,
	signal: AbortSignal,
	{
		work,
		receive,
		current,
	}: {
		work: (publish: (message: T) => void) => Promise<void>;
		receive: (message: T) => void;
		current: () => T;
	},
): Promise<void> {
	const channel = new BroadcastChannel(name);
	const post = (wire: Wire<T>) => channel.postMessage(wire);
	let isWorking = false;
	channel.onmessage = ({ data }: MessageEvent<Wire<T>>) => {
		if (data.type === "message") receive(data.message);
		else if (isWorking) post({ type: "message", message: current() });
	};
	post({ type: "hello" });
	try {
		await navigator.locks.request(name, { signal }, async () => {
			isWorking = true;
			await work((message) => {
				receive(message);
				post({ type: "message", message });
			});
		});
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		channel.close();
	}
}
