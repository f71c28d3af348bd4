/** Output of a `current_datetime` tool. */
export type CurrentDatetime = {
	/** Local time with milliseconds and UTC offset: `2026-11-20T10:30:00.000+01:00`. */
	iso: string;
	date: string;
	time: string;
	/** English name of the day. */
	weekday: string;
	timezone: string;
	/** Offset such as `+01:00`. */
	utc_offset: string;
	/** Whole seconds since 1970. */
	unix: number;
};

/** Describes an instant in an IANA timezone. */
export function currentDatetime(now: Date, timezone: string): CurrentDatetime {
	const part = partsOf(now, timezone);
	const utc_offset = /[+-]\d{2}:\d{2}/.exec(part("timeZoneName"))?.[0] ?? "+00:00";
	const date = `${part("year")}-${part("month")}-${part("day")}`;
	const time = `${part("hour")}:${part("minute")}:${part("second")}`;
	return {
		iso: `${date}T${time}.${part("fractionalSecond")}${utc_offset}`,
		...{ date, time, weekday: part("weekday"), timezone, utc_offset },
		unix: Math.floor(now.getTime() / 1000),
	};
}

function partsOf(now: Date, timeZone: string): (type: string) => string {
	const format = new Intl.DateTimeFormat("en-US", {
		timeZone,
		...{ year: "numeric", month: "2-digit", day: "2-digit", weekday: "long" },
		...{ hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 },
		...{ hourCycle: "h23", calendar: "gregory", numberingSystem: "latn", timeZoneName: "longOffset" },
	} as Intl.DateTimeFormatOptions);
	const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type as string, value]));
	return (type) => parts.get(type) ?? "";
}
