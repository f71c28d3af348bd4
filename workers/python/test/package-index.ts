// A loopback package index with the JSON simple API (PEP 691), good packages and every kind of bad behaviour.
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Loopback, startLoopback } from "@parley/testing/loopback";
import { strToU8 } from "fflate";
import { makeWheel, sha256, type WheelSpec, wheelFilename } from "./wheels.ts";

const JSON_TYPE = "application/vnd.pypi.simple.v1+json";

type Listed = WheelSpec & { requiresPython?: string; yanked?: string; sha256?: string; bytes?: Uint8Array };

const PACKAGES: Listed[] = [
	{
		name: "greetlib",
		version: "1.2.0",
		requires: [
			"shoutlib (>=2,<3)",
			"colorama>=0.4 ; sys_platform == 'win32'",
			"old-backport ; python_version < '3.9'",
			"whisperlib==1.0 ; extra == 'quiet'",
		],
		files: {
			"greetlib/__init__.py":
				"from importlib import resources\nfrom shoutlib import shout\n\n\ndef greet(name):\n    words = resources.files(__name__).joinpath('words.txt').read_text().strip()\n    return shout(words + ' ' + name)\n\n\ndef boom():\n    raise ValueError('from a dependency')\n",
			"greetlib/words.txt": "hello\n",
		},
	},
	...["2.0.0", "2.1.0", "2.2.0rc1", "3.0.0"].map((version) => ({
		name: "shoutlib",
		version,
		files: {
			"shoutlib.py": `VERSION = ${JSON.stringify(version)}\n\n\ndef shout(text):\n    return text.upper() + '!'\n`,
		},
	})),
	{
		name: "whisperlib",
		version: "1.0",
		files: { "whisperlib.py": "def whisper(text):\n    return text.lower()\n" },
	},
	{ name: "data-lib", version: "1.0", files: { "data_lib-1.0.data/purelib/data_lib.py": "VALUE = 7\n" } },
	{ name: "selfish", version: "1.0", requires: ["selfish>=2"], files: { "selfish.py": "" } },
	{ name: "nativelib", version: "1.0", tag: "cp314-cp314-manylinux_2_17_x86_64", files: { "n.py": "" } },
	{ name: "futurelib", version: "1.0", requiresPython: ">=3.99", files: { "f.py": "" } },
	{ name: "withdrawn", version: "1.0", yanked: "broken", files: { "w.py": "" } },
	{ name: "tampered", version: "1.0", sha256: "0".repeat(64), files: { "t.py": "" } },
	{ name: "unhashed", version: "1.0", sha256: "", files: { "u.py": "" } },
	{ name: "impostor", version: "1.0", claims: { name: "innocent", version: "9" }, files: { "i.py": "" } },
	{ name: "climber", version: "1.0", files: { "../../evil.py": "" } },
	{ name: "garbage", version: "1.0", files: {}, bytes: strToU8("this is not a zip file") },
	{ name: "puzzling", version: "1.0", requires: ["%%% what"], files: { "p.py": "" } },
	{ name: "bomb", version: "1.0", files: { "bomb/zeros.bin": new Uint8Array(60 * 1024 * 1024) } },
	{ name: "moved", version: "1.0", files: { "moved.py": "" } },
	{ name: "verbose", version: "1.0", requiresPython: `>=9${".0".repeat(500_000)}`, files: { "v.py": "" } },
	{ name: "needy", version: "1.0", requires: Array.from({ length: 200 }, (_, n) => `dep${n}`), files: {} },
	{ name: "boastful", version: "1.0", claims: { name: "x".repeat(200_000), version: "1" }, files: {} },
	{ name: "modelkit", version: "1.0", files: { "modelkit.py": modelKit() } },
	{ name: "big-lib", version: "1.0", files: bigLibrary() },
];

type Wheels = (filename: string) => Uint8Array | undefined;

/** The bytes of wheels by file name, each made when it is first asked for. */
function lazyWheels(): Wheels {
	const made = new Map<string, Uint8Array>();
	return (filename) => {
		const listed = PACKAGES.find((one) => wheelFilename(one) === filename);
		const bytes = made.get(filename) ?? (listed && (listed.bytes ?? makeWheel(listed)));
		if (bytes) made.set(filename, bytes);
		return bytes;
	};
}

export async function startPackageIndex(): Promise<Loopback> {
	const wheels = lazyWheels();
	// What takes time to make must not use up the time that the worker grants the index.
	wheels("bomb-1.0-py3-none-any.whl");
	const seen: string[] = [];
	return startLoopback((request, response) => {
		const { pathname } = new URL(request.url ?? "/", "http://index");
		if (pathname === "/seen") return void sendJson(response, seen.splice(0));
		seen.push(pathname);
		const project = /^\/simple\/([^/]+)\/$/.exec(pathname)?.[1];
		if (project) return sendProject(response, project, wheels, String(request.headers.accept));
		if (pathname === "/mirror/moved/") return sendJson(response, projectOf(relativeEntries("moved", wheels)));
		const bytes = wheels(decodeURIComponent(pathname.split("/").at(-1) ?? ""));
		if (!bytes) return void response.writeHead(404).end();
		response.end(bytes);
	});
}

function sendProject(response: ServerResponse, project: string, wheels: Wheels, accept: string) {
	switch (project) {
		case "hangs":
			return; // never answers
		case "endless":
			response.writeHead(200, { "content-type": JSON_TYPE });
			return void pour(response);
		case "html":
			return void response.writeHead(200, { "content-type": "text/html" }).end("<html>");
		case "nonsense":
			return void response.writeHead(200, { "content-type": JSON_TYPE }).end('{"files": 7}');
		case "failing":
			return void response.writeHead(503).end();
		case "metadata":
			return void response.writeHead(302, { location: "http://169.254.169.254/latest/" }).end();
		case "intranet":
			return void response.writeHead(302, { location: "https://private.example/simple/" }).end();
		case "unnamed":
			return void response.writeHead(302, { location: "https://broken.example/simple/" }).end();
		case "moved":
			return void response.writeHead(302, { location: "/mirror/moved/" }).end();
		case "lost":
			return void sendJson(
				response,
				projectOf([{ filename: "lost-1.0-py3-none-any.whl", hash: "a".repeat(64) }]),
			);
		case "fat":
			return void sendJson(
				response,
				projectOf([{ filename: "fat-1.0-py3-none-any.whl", url: "/simple/endless/" }]),
			);
	}
	const listed = PACKAGES.filter((one) => one.name === project);
	if (listed.length === 0 || !accept.includes(JSON_TYPE)) return void response.writeHead(404).end();
	sendJson(response, projectOf(listed.map((one) => entryOf(one, wheels))));
}

function entryOf(one: Listed, wheels: Wheels): FileEntry {
	const filename = wheelFilename(one);
	const hash = one.sha256 ?? sha256(wheels(filename) ?? new Uint8Array());
	return { filename, hash, requiresPython: one.requiresPython, yanked: one.yanked };
}

/** As a mirror lists them: next to the page. */
const relativeEntries = (project: string, wheels: Wheels): FileEntry[] =>
	PACKAGES.filter((one) => one.name === project).map((one) => ({
		...entryOf(one, wheels),
		url: `wheels/${wheelFilename(one)}`,
	}));

type FileEntry = { filename: string; hash?: string; url?: string; requiresPython?: string; yanked?: string };

const projectOf = (files: FileEntry[]) => ({
	meta: { "api-version": "1.1" },
	files: files.map(({ filename, hash = "b".repeat(64), url, requiresPython, yanked }) => ({
		filename,
		url: url ?? `/files/${encodeURIComponent(filename)}`,
		hashes: hash ? { sha256: hash } : {},
		"requires-python": requiresPython ?? ">=3.9",
		...(yanked ? { yanked } : {}),
	})),
});

function sendJson(response: ServerResponse, value: unknown) {
	response.writeHead(200, { "content-type": JSON_TYPE }).end(JSON.stringify(value));
}

function pour(response: ServerResponse) {
	const chunk = Buffer.alloc(1024 * 1024, " ");
	const more = () => {
		while (!response.destroyed && response.write(chunk));
	};
	response.on("drain", more);
	more();
}

/** A class with the methods that pydantic gives its models. */
function modelKit(): string {
	return `
class ValidationError(ValueError):
    def errors(self):
        return [{"loc": ("email",), "msg": "must hold an @"}]


class BaseModel:
    def __init__(self, email):
        self.email = email

    @classmethod
    def model_json_schema(cls, ref_template, mode):
        return {"type": "object", "properties": {"email": {"type": "string"}}, "required": ["email"], "additionalProperties": False}

    @classmethod
    def model_validate(cls, value):
        if "@" not in value["email"]:
            raise ValidationError("1 validation error")
        return cls(**value)

    def model_dump(self, mode):
        return {"email": self.email}
`;
}

/** A wheel of about 2 MB and 500 modules, as a large pure-Python library. */
function bigLibrary(): Record<string, string> {
	const files: Record<string, string> = { "big_lib/__init__.py": "" };
	for (let module = 0; module < 500; module++) {
		const lines = Array.from({ length: 100 }, (_, i) => {
			const noise = createHash("sha256").update(`${module}/${i}`).digest("base64url");
			return `VALUE_${i} = "${noise}"`;
		});
		files[`big_lib/m${module}.py`] = `${lines.join("\n")}\n`;
	}
	return files;
}
