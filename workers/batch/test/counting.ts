/** A database that adds up the rows its statements read, as D1 itself counts them. */
export function countingDatabase(database: D1Database): { database: D1Database; rowsRead: () => number } {
	let rowsRead = 0;
	const count = <T extends { meta: D1Meta }>(result: T): T => {
		rowsRead += result.meta.rows_read;
		return result;
	};
	const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
		Object.assign(Object.create(statement) as D1PreparedStatement, {
			inner: statement,
			bind: (...values: unknown[]) => wrap(statement.bind(...values)),
			run: async () => count(await statement.run()),
			all: async () => count(await statement.all()),
			raw: async () =>
				count(await statement.all<Record<string, unknown>>()).results.map((row) => Object.values(row)),
		});
	const inner = (statement: D1PreparedStatement) =>
		"inner" in statement ? (statement.inner as D1PreparedStatement) : statement;
	return {
		database: {
			prepare: (query: string) => wrap(database.prepare(query)),
			batch: async (statements: D1PreparedStatement[]) =>
				(await database.batch(statements.map(inner))).map((result) => count(result)),
		} as unknown as D1Database,
		rowsRead: () => rowsRead,
	};
}
