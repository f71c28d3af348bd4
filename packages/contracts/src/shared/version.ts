import manifest from "../../../../package.json" with { type: "json" };

/** Release of the service: the version of the root `package.json`, as `v<major>.<minor>.<patch>`. */
export const VERSION = `v${manifest.version}`;
