// Reads group ids from standard input; when it ends, because the parent did, ends every group that is left.
import { createInterface } from "node:readline";

const groups = [];
const input = createInterface({ input: process.stdin });
input.on("line", (line) => groups.push(Number(line)));
input.on("close", () => {
	for (const signal of ["SIGTERM", "SIGKILL"]) {
		setTimeout(() => endAll(signal), signal === "SIGTERM" ? 0 : 3000);
	}
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

function endAll(signal) {
	for (const group of groups) {
		try {
			process.kill(-group, signal);
		} catch {
			// already gone
		}
	}
}
