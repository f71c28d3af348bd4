/** Returns a page of an origin for a path that a request names; the first page for whatever leads elsewhere. */
export function ownAddress(origin: string, to: string | undefined): URL {
	const home = new URL("/", origin);
	const address = to?.startsWith("/") ? URL.parse(to, origin) : null;
	return address?.origin === home.origin ? address : home;
}
