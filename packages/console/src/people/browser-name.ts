const BROWSERS: [RegExp, string][] = [
	[/Edg(?:A|iOS)?\//, "Edge"],
	[/OPR\/|Opera/, "Opera"],
	[/Firefox\/|FxiOS\//, "Firefox"],
	[/(?:Headless)?Chrom(?:e|ium)\/|CriOS\//, "Chrome"],
	[/Version\/[\d.]+.*Safari\//, "Safari"],
	[/^curl\//, "curl"],
];
const SYSTEMS: [RegExp, string][] = [
	[/iPhone|iPad/, "iOS"],
	[/Android/, "Android"],
	[/Windows/, "Windows"],
	[/Mac OS X|Macintosh/, "macOS"],
	[/CrOS/, "ChromeOS"],
	[/Linux|X11/, "Linux"],
];

/** Names the browser and the system of a user agent: `Firefox on Linux`. @returns undefined for one that is not known */
export function browserName(userAgent: string): string | undefined {
	const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
	const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
	return browser && system ? `${browser} on ${system}` : (browser ?? system);
}
