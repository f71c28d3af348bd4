declare module "oidc-provider" {
	import type { RequestListener } from "node:http";

	/** The part of the provider that the tests use; it ships no types. */
	export default class Provider {
		constructor(issuer: string, configuration: object);
		/** Whether forwarding headers are believed. */
		proxy: boolean;
		callback(): RequestListener;
	}
}
