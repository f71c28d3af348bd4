/** Media type for unknown content. */
export const ANY_TYPE = "application/octet-stream";

const BY_EXTENSION: Record<string, string> = {
	wav: "audio/wav",
	mp3: "audio/mpeg",
	flac: "audio/flac",
	ogg: "audio/ogg",
	oga: "audio/ogg",
	opus: "audio/ogg",
	m4a: "audio/mp4",
	mp4: "video/mp4",
	aac: "audio/aac",
	webm: "audio/webm",
	amr: "audio/amr",
	mpg: "video/mpeg",
	mpeg: "video/mpeg",
};

/** The media type that a file's name implies: of sound or film, or the one of any bytes. */
export const mediaTypeOf = (filename: string): string =>
	BY_EXTENSION[/\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ""] ?? ANY_TYPE;

/**
 * Whether a browser that follows a download link takes a file of this type for nothing that runs scripts. HTML, SVG and all
 * that is XML do: they could act as a page of the storage's host.
 */
export function isInert(mediaType: string): boolean {
	const [essence = ""] = mediaType.toLowerCase().split(";");
	return (
		/^(audio|video)\/[^/]+$|^text\/plain$|^application\/(ogg|mp4|octet-stream)$|^binary\/octet-stream$/.test(
			essence.trim(),
		) && !essence.trim().endsWith("+xml")
	);
}
