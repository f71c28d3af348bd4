// PostgreSQL and Redis of the machine, in a folder of their own, as their packages configure them.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep } from "@parley/dev-stack/processes/processes";
import { freePort } from "@parley/dev-stack/stack";

export type Services = { postgres: string; redis: { host: string; port: number }; stop: () => void };

/** @returns undefined on a machine that lacks one of them. */
export async function startServices(): Promise<Services | undefined> {
	const postgresBin = findPostgres();
	const redisServer = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"].find((path) =>
		existsSync(path),
	);
	if (!postgresBin || !redisServer) return undefined;
	const dir = mkdtempSync(join(tmpdir(), "parley-rival-"));
	const owner = postgresOwner();
	if (owner) chownSync(dir, owner.uid, owner.gid);
	const options = { cwd: dir, stdio: "ignore" as const, ...owner };
	const data = join(dir, "postgres");
	execFileSync(join(postgresBin, "initdb"), ["-D", data, "-U", "bench", "-A", "trust"], options);
	const [pgPort, redisPort] = [await freePort(), await freePort()];
	const children: ChildProcess[] = [
		spawn(
			join(postgresBin, "postgres"),
			["-D", data, "-p", String(pgPort), "-h", "127.0.0.1", "-k", dir],
			options,
		),
		spawn(
			redisServer,
			["--port", String(redisPort), "--bind", "127.0.0.1", "--dir", dir, "--appendonly", "yes"],
			options,
		),
	];
	await untilReady(join(postgresBin, "pg_isready"), pgPort);
	return {
		postgres: `postgres://bench@127.0.0.1:${pgPort}/postgres`,
		redis: { host: "127.0.0.1", port: redisPort },
		stop: () => {
			for (const child of children) child.kill("SIGINT");
			setTimeout(() => rmSync(dir, { recursive: true, force: true }), 1500);
		},
	};
}

function findPostgres(): string | undefined {
	const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort() : [];
	const newest = versions.at(-1);
	return newest && `/usr/lib/postgresql/${newest}/bin`;
}

/** PostgreSQL does not run as root. */
function postgresOwner(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
	return { uid: id("-u"), gid: id("-g") };
}

async function untilReady(pgIsReady: string, port: number): Promise<void> {
	for (let tries = 0; tries < 100; tries++) {
		try {
			execFileSync(pgIsReady, ["-h", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
			return;
		} catch {
			await sleep(100);
		}
	}
	throw new Error("PostgreSQL did not start");
}
