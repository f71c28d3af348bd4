// Entry of a measured worker: the same worker, with a database that counts what it is asked.
import * as worker from "./worker.js";

export * from "./worker.js";

const counts = { queries: 0, reads: 0, rowsRead: 0, rowsWritten: 0 };

function note(results) {
	counts.queries++;
	if (results.some(({ meta }) => (meta.rows_read ?? 0) > 0 && (meta.rows_written ?? 0) === 0)) counts.reads++;
	for (const { meta } of results) {
		counts.rowsRead += meta.rows_read ?? 0;
		counts.rowsWritten += meta.rows_written ?? 0;
	}
}

const statement = (inner, text) => ({
	inner,
	bind: (...values) => statement(inner.bind(...values), text),
	async all() {
		const result = await inner.all();
		note([result]);
		return result;
	},
	async run() {
		const result = await inner.run();
		note([result]);
		return result;
	},
	// Raw rows come without counts, so the same statement runs once more for them.
	async raw(options) {
		const rows = await inner.raw(options);
		if (/^select/i.test(text)) note([await inner.all()]);
		return rows;
	},
	first: (column) => inner.first(column),
});

const counted = (database) => ({
	prepare: (text) => statement(database.prepare(text), text),
	async batch(statements) {
		const results = await database.batch(statements.map(({ inner }) => inner));
		note(results);
		return results;
	},
	exec: (text) => database.exec(text),
});

const wrapped = new WeakMap();
let isCounting = false;

export default {
	...worker.default,
	fetch(request, env, ctx) {
		if (new URL(request.url).pathname === "/bench/d1") {
			isCounting = true;
			return Response.json(counts);
		}
		if (!isCounting) return worker.default.fetch(request, env, ctx);
		if (!wrapped.has(env)) wrapped.set(env, { ...env, DB: counted(env.DB) });
		return worker.default.fetch(request, wrapped.get(env), ctx);
	},
};
