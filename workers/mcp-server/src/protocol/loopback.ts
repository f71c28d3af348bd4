/** Whether a host name is this machine's own. */
export const isLoopback = (hostname: string): boolean =>
	/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
