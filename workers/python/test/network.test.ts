import { expect, inject, test } from "vitest";
import { output } from "./client.ts";

const ROUTES: Record<string, string> = {
	urllib: "import urllib.request; urllib.request.urlopen(URL).read()",
	"urllib over TLS": "import urllib.request; urllib.request.urlopen('https://example.com/').read()",
	socket: "import socket; socket.create_connection((HOST, PORT), timeout=1)",
	"UDP socket": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', (HOST, PORT))",
	"listening socket": "import socket; s = socket.socket(); s.bind((HOST, 8000)); s.listen(); s.accept()",
	"http.client":
		"import http.client; c = http.client.HTTPConnection(HOST, PORT, timeout=1); c.request('GET', '/'); c.getresponse()",
	"name lookup":
		"import socket; assert socket.gethostbyname('example.com').startswith('172.29.'); raise OSError('a made-up address')",
	"js.fetch": "import js; js.fetch(URL)",
	"js.WebSocket": "import js; js.WebSocket.new('ws://127.0.0.1')",
	"pyodide.http.open_url": "import pyodide.http; pyodide.http.open_url(URL).read()",
	"pyodide.http.pyfetch": "import asyncio, pyodide.http; asyncio.run(pyodide.http.pyfetch(URL))",
	"pyodide.code.run_js": "from pyodide.code import run_js; run_js('fetch(1)')",
	pyodide_js: "import pyodide_js; pyodide_js.loadPackage('numpy')",
	micropip: "import micropip; micropip.install('numpy')",
	"asyncio.open_connection": "import asyncio; asyncio.run(asyncio.open_connection(HOST, PORT))",
	subprocess: "import subprocess; subprocess.run(['ls'])",
	"os.system": "import os; assert os.system('ls') == 0",
	"os.fork": "import os; os.fork()",
	threads: "import threading; threading.Thread(target=print).start()",
	"the bridge behind asyncio": "import pyodide.webloop as w; w.scheduleCallback.constructor",
	"a new JavaScript object": "from pyodide.ffi import to_js; to_js([]) * 1_000_000_000",
	"a proxy's attributes": "from pyodide.ffi import create_once_callable as c; c(print).constructor",
};

test("no route out of the sandbox leads anywhere", async () => {
	const index = inject("indexUrl");
	const { hostname, port } = new URL(index);
	await fetch(`${index}/seen`);
	const source = [
		`HOST, PORT, URL = ${JSON.stringify(hostname)}, ${port}, ${JSON.stringify(`${index}/simple/greetlib/`)}`,
		"def handler():",
		"    ended = {}",
		...Object.entries(ROUTES).flatMap(([name, code]) => [
			"    try:",
			`        ${code}`,
			`        ended[${JSON.stringify(name)}] = 'reached'`,
			"    except BaseException as error:",
			`        ended[${JSON.stringify(name)}] = f'{type(error).__name__}: {error}'`,
		]),
		"    return ended",
	].join("\n");

	const ended = (await output(source)) as Record<string, string>;

	expect(Object.keys(ended)).toEqual(Object.keys(ROUTES));
	expect(Object.entries(ended).filter(([, how]) => how === "reached")).toEqual([]);
	expect(await (await fetch(`${index}/seen`)).json()).toEqual([]);
});
