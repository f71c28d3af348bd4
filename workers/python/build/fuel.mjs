// Adds a fuel counter to every loop of a wasm module: after each `loop` header a private global is decremented, and at
// zero an already imported function of type () -> i32 is called (its result is dropped). Only one global is appended,
// so no function index moves and tables, exports and names stay valid.

const MAGIC = "0061736d01000000";
const SECTION = { import: 2, memory: 5, global: 6, code: 10 };

// Opcodes by the shape of what follows them.
const ONE_LEB = new Set([
	0x02, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x12, 0x14, 0x15, 0x18, 0x20, 0x21, 0x22, 0x23, 0x24,
	0x25, 0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2, 0xd5, 0xd6,
]);
const NOTHING = new Set([0x00, 0x01, 0x05, 0x0a, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1, 0xd3, 0xd4]);
const GC_ONE = new Set([0, 1, 6, 7, 11, 12, 13, 14, 16, 20, 21, 22, 23]);
const GC_TWO = new Set([2, 3, 4, 5, 8, 9, 10, 17, 18, 19]);
const GC_NOTHING = new Set([15, 26, 27, 28, 29, 30]);

/**
 * @param {Uint8Array} source a wasm module
 * @param {{ helper: string, interval?: number, maxPages: number }} options name of the imported function; loop
 *   iterations between two calls; memory maximum in pages of 64 KiB
 * @returns {{ wasm: Buffer, loops: number }}
 */
export function instrument(source, { helper, interval = 1 << 20, maxPages }) {
	const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
	if (bytes.subarray(0, 8).toString("hex") !== MAGIC) throw new Error("not a wasm module");
	const sections = readSections(bytes);
	const section = (id) => {
		const found = sections.find((s) => s.id === id);
		if (!found) throw new Error(`no section ${id}`);
		return found;
	};
	const imports = readImports(new Reader(bytes, section(SECTION.import).start), helper);
	const globals = new Reader(bytes, section(SECTION.global).start);
	const defined = globals.u32();
	const counter = imports.globals + defined;

	const { code, loops } = rewriteCode(
		bytes,
		new Reader(bytes, section(SECTION.code).start),
		fuelCheck(counter, imports.helper, interval),
	);
	const replaced = new Map([
		[SECTION.code, code],
		[
			SECTION.global,
			Buffer.concat([
				leb(defined + 1),
				bytes.subarray(globals.at, section(SECTION.global).end),
				Buffer.from([0x7f, 1, 0x41]),
				sleb(interval),
				Buffer.from([0x0b]),
			]),
		],
		[SECTION.memory, cappedMemory(new Reader(bytes, section(SECTION.memory).start), maxPages)],
	]);
	const wasm = Buffer.concat([
		bytes.subarray(0, 8),
		...sections.flatMap(({ id, start, end }) => {
			const body = replaced.get(id) ?? bytes.subarray(start, end);
			return [Buffer.from([id]), leb(body.length), body];
		}),
	]);
	if (!WebAssembly.validate(wasm)) throw new Error("the instrumented module does not validate");
	return { wasm, loops };
}

class Reader {
	constructor(bytes, at) {
		this.bytes = bytes;
		this.at = at;
	}
	byte() {
		return this.bytes[this.at++];
	}
	u32() {
		let value = 0;
		let scale = 1;
		let byte = 0;
		do {
			byte = this.byte();
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte & 128);
		return value;
	}
	skipLeb(times = 1) {
		for (let i = 0; i < times; i++) while (this.byte() & 128);
	}
	string() {
		const length = this.u32();
		this.at += length;
		return this.bytes.subarray(this.at - length, this.at).toString();
	}
	skipValueType() {
		const type = this.byte();
		if (type === 0x63 || type === 0x64) this.skipLeb();
	}
	skipLimits() {
		const flags = this.byte();
		this.skipLeb(flags & 1 ? 2 : 1);
	}
	skipMemoryArgument() {
		if (this.u32() & 64) this.skipLeb();
		this.skipLeb();
	}
}

function readSections(bytes) {
	const reader = new Reader(bytes, 8);
	const sections = [];
	while (reader.at < bytes.length) {
		const id = reader.byte();
		const length = reader.u32();
		sections.push({ id, start: reader.at, end: reader.at + length });
		reader.at += length;
	}
	return sections;
}

function readImports(reader, helper) {
	let functions = 0;
	let globals = 0;
	let found = -1;
	for (let n = reader.u32(); n > 0; n--) {
		reader.string();
		const name = reader.string();
		const kind = reader.byte();
		if (kind === 0) {
			reader.skipLeb();
			if (name === helper) found = functions;
			functions++;
		} else if (kind === 1) {
			reader.skipValueType();
			reader.skipLimits();
		} else if (kind === 2) {
			reader.skipLimits();
		} else if (kind === 3) {
			reader.skipValueType();
			reader.at++;
			globals++;
		} else if (kind === 4) {
			reader.at++;
			reader.skipLeb();
		} else {
			throw new Error(`import kind ${kind}`);
		}
	}
	if (found < 0) throw new Error(`helper import not found: ${helper}`);
	return { globals, helper: found };
}

// counter -= 1; if (counter == 0) { helper(); counter = interval }
function fuelCheck(counter, helper, interval) {
	const global = leb(counter);
	return Buffer.concat([
		Buffer.from([0x23]),
		global,
		Buffer.from([0x41, 1, 0x6b, 0x24]),
		global,
		Buffer.from([0x23]),
		global,
		Buffer.from([0x45, 0x04, 0x40, 0x10]),
		leb(helper),
		Buffer.from([0x1a, 0x41]),
		sleb(interval),
		Buffer.from([0x24]),
		global,
		Buffer.from([0x0b]),
	]);
}

function rewriteCode(bytes, reader, check) {
	const count = reader.u32();
	const chunks = [leb(count)];
	let loops = 0;
	for (let i = 0; i < count; i++) {
		const length = reader.u32();
		const start = reader.at;
		const end = start + length;
		const headers = loopHeaders(reader, end);
		if (reader.at !== end) throw new Error(`function ${i} decoded past its end`);
		chunks.push(leb(length + headers.length * check.length));
		let from = start;
		for (const header of headers) {
			chunks.push(bytes.subarray(from, header), check);
			from = header;
		}
		chunks.push(bytes.subarray(from, end));
		loops += headers.length;
	}
	return { code: Buffer.concat(chunks), loops };
}

/** Returns the positions at which the loops of a function begin. */
function loopHeaders(reader, end) {
	const headers = [];
	for (let n = reader.u32(); n > 0; n--) {
		reader.skipLeb();
		reader.skipValueType();
	}
	while (reader.at < end) {
		const opcode = reader.byte();
		if (opcode === 0x03) {
			reader.skipLeb();
			headers.push(reader.at);
		} else {
			skipImmediates(reader, opcode);
		}
	}
	return headers;
}

function skipImmediates(reader, opcode) {
	if (ONE_LEB.has(opcode)) reader.skipLeb();
	else if (NOTHING.has(opcode) || (opcode >= 0x45 && opcode <= 0xc4)) return;
	else if (opcode >= 0x28 && opcode <= 0x3e) reader.skipMemoryArgument();
	else if (opcode === 0x0e) reader.skipLeb(reader.u32() + 1);
	else if (opcode === 0x11 || opcode === 0x13) reader.skipLeb(2);
	else if (opcode === 0x1c) for (let n = reader.u32(); n > 0; n--) reader.skipValueType();
	else if (opcode === 0x1f) skipTryTable(reader);
	else if (opcode === 0x43) reader.at += 4;
	else if (opcode === 0x44) reader.at += 8;
	else if (opcode === 0xfb) skipGc(reader);
	else if (opcode === 0xfc) skipBulk(reader);
	else if (opcode === 0xfd) skipVector(reader);
	else if (opcode === 0xfe) skipAtomic(reader);
	else throw new Error(`opcode 0x${opcode.toString(16)} at ${reader.at}`);
}

function skipTryTable(reader) {
	reader.skipLeb();
	for (let n = reader.u32(); n > 0; n--) reader.skipLeb(reader.byte() < 2 ? 2 : 1);
}

function skipGc(reader) {
	const opcode = reader.u32();
	if (GC_ONE.has(opcode)) reader.skipLeb();
	else if (GC_TWO.has(opcode)) reader.skipLeb(2);
	else if (opcode === 24 || opcode === 25) {
		reader.at++;
		reader.skipLeb(3);
	} else if (!GC_NOTHING.has(opcode)) throw new Error(`gc opcode ${opcode}`);
}

function skipBulk(reader) {
	const opcode = reader.u32();
	if ([8, 10, 12, 14].includes(opcode)) reader.skipLeb(2);
	else if ([9, 11, 13, 15, 16, 17].includes(opcode)) reader.skipLeb();
	else if (opcode > 17) throw new Error(`bulk memory opcode ${opcode}`);
}

function skipVector(reader) {
	const opcode = reader.u32();
	if (opcode <= 11 || opcode === 92 || opcode === 93) reader.skipMemoryArgument();
	else if (opcode === 12 || opcode === 13) reader.at += 16;
	else if (opcode >= 21 && opcode <= 34) reader.at++;
	else if (opcode >= 84 && opcode <= 91) {
		reader.skipMemoryArgument();
		reader.at++;
	}
}

function skipAtomic(reader) {
	if (reader.u32() === 3) reader.at++;
	else reader.skipMemoryArgument();
}

function cappedMemory(reader, maxPages) {
	if (reader.u32() !== 1) throw new Error("expected one memory");
	const flags = reader.byte();
	const minimum = reader.u32();
	if (minimum > maxPages) throw new Error(`the module starts with ${minimum} pages, more than ${maxPages}`);
	return Buffer.concat([Buffer.from([1, flags | 1]), leb(minimum), leb(maxPages)]);
}

function leb(value) {
	const out = [];
	let rest = value >>> 0;
	do {
		const low = rest & 127;
		rest >>>= 7;
		out.push(rest ? low | 128 : low);
	} while (rest);
	return Buffer.from(out);
}

function sleb(value) {
	const out = [];
	let rest = value | 0;
	for (;;) {
		const low = rest & 127;
		rest >>= 7;
		if ((rest === 0 && !(low & 64)) || (rest === -1 && low & 64)) {
			out.push(low);
			return Buffer.from(out);
		}
		out.push(low | 128);
	}
}
