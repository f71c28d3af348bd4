/** The part of workerd's module that the probe uses, for the tests that Node runs. */
declare module "cloudflare:sockets" {
	export function connect(
		address: { hostname: string; port: number },
		options: { secureTransport: "on" | "off"; allowHalfOpen: boolean },
	): { opened: Promise<unknown>; closed: Promise<void>; close: () => Promise<void> };
}
