// Runs scripts/<command>.ts on the pinned Node after installing what the lock file names. Works on any Node from 18 on.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const bin = join(root, "node_modules", ".bin");
const { packageManager } = JSON.parse(readFileSync("package.json", "utf8"));
const [command, ...args] = process.argv.slice(2);

const commands = readCommands();
if (command === undefined || command === "--help" || command === "-h") printCommands(process.stdout);
else if (commands.has(command)) {
	install();
	start();
} else {
	process.stderr.write(`There is no command ${command}.\n\n`);
	printCommands(process.stderr);
	process.exitCode = 1;
}

/** Every script that says in its first lines what it does, with its first sentence. */
function readCommands() {
	const scripts = readdirSync("scripts").filter((name) => name.endsWith(".ts"));
	return new Map(
		scripts.sort().flatMap((name) => {
			const said = /^(\/\/ .*\n)+/.exec(readFileSync(join("scripts", name), "utf8"))?.[0];
			if (!said) return [];
			const text = said
				.replaceAll("// ", "")
				.replaceAll("\n", " ")
				.replace(/^`[^`]*`: /, "");
			return [[name.slice(0, -".ts".length), text.replace(/(?<=\.) .*$/, "").trim()]];
		}),
	);
}

function printCommands(stream) {
	stream.write("Usage: node scripts/run.mjs <command> [argument …]\n\n");
	for (const [name, said] of commands) stream.write(`  ${name.padEnd(12)} ${said}\n`);
}

function install() {
	const stamp = join(root, "node_modules", ".install-stamp");
	const wanted = createHash("sha256")
		.update(readFileSync("pnpm-lock.yaml"))
		.update(readFileSync("pnpm-workspace.yaml"))
		.update(process.platform + process.arch)
		.digest("hex");
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
	const pnpm = [
		"--yes",
		"--prefer-offline",
		packageManager,
		"install",
		"--frozen-lockfile",
		"--prefer-offline",
	];
	const { status } = spawnSync("npx", pnpm, { stdio: "inherit" });
	if (status !== 0) process.exit(status ?? 1);
	mkdirSync(join(root, "node_modules"), { recursive: true });
	writeFileSync(stamp, wanted);
}

function start() {
	const node = existsSync(join(bin, "node")) ? join(bin, "node") : process.execPath;
	const child = spawn(node, [join(root, "scripts", `${command}.ts`), ...args], {
		stdio: "inherit",
		env: {
			...process.env,
			PATH: bin + delimiter + process.env.PATH,
			WRANGLER_SEND_METRICS: "false",
			WRANGLER_SEND_ERROR_REPORTS: "false",
			WRANGLER_HIDE_BANNER: "true",
			WRANGLER_LOG_PATH: join(root, ".wrangler", "logs"),
			XDG_CONFIG_HOME: join(root, ".wrangler", "config"),
			CLOUDFLARE_CF_FETCH_ENABLED: "false",
		},
	});
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
	const parent = process.ppid;
	// If npm died without passing its signal on, stop too.
	setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 1000).unref();
	child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
