// What the batch API's writes cost on the usual stack: Fastify, PostgreSQL and BullMQ on Redis, doing the same for each
// request: the key looked up by its hash (kept ten seconds), the body checked, credits checked and the job written in one
// transaction, the message queued, or an upload URL signed. Started by `serve.ts` as a process of its own.
import { createHash } from "node:crypto";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Queue } from "bullmq";
import Fastify from "fastify";
import { Redis } from "ioredis";
import pg from "pg";

const { postgres, redis, port } = JSON.parse(process.argv[2] ?? "") as {
	postgres: string;
	redis: { host: string; port: number };
	port: number;
};
const pool = new pg.Pool({ connectionString: postgres, max: 10 });
const queue = new Queue("transcription", { connection: new Redis({ ...redis, maxRetriesPerRequest: null }) });
const s3 = new S3Client({
	endpoint: "http://127.0.0.1:1",
	region: "auto",
	forcePathStyle: true,
	credentials: { accessKeyId: "bench-access-key", secretAccessKey: "bench-secret-key" },
});

await pool.query(`
	create table organisations (id text primary key, credit_seconds integer);
	create table api_keys (hash text primary key, organisation_id text not null);
	create table jobs (
		id bigserial primary key, organisation_id text not null, job_id text not null, model_code text not null,
		status text not null, job_config jsonb not null, input_url text, input_metadata jsonb not null,
		wake_at timestamptz, deadline_at timestamptz not null, submitted_at timestamptz not null,
		unique (organisation_id, job_id)
	);
	create table uploads (
		organisation_id text not null, job_id text not null, key text not null, request jsonb not null,
		created_at timestamptz not null, primary key (organisation_id, job_id)
	);
	create index on jobs (organisation_id, submitted_at);
	create index on jobs (wake_at) where wake_at is not null;
`);
const hashOf = (key: string) => createHash("sha256").update(key).digest("hex");
await pool.query("insert into organisations values ('org', null)");
await pool.query("insert into api_keys values ($1, 'org')", [hashOf("bench-key")]);

const known = new Map<string, { organisationId: string; until: number }>();

async function organisationOf(key: string): Promise<string | undefined> {
	const hash = hashOf(key);
	const kept = known.get(hash);
	if (kept && kept.until > Date.now()) return kept.organisationId;
	const { rows } = await pool.query("select organisation_id from api_keys where hash = $1", [hash]);
	if (rows[0]) known.set(hash, { organisationId: rows[0].organisation_id, until: Date.now() + 10_000 });
	return rows[0]?.organisation_id;
}

const body = {
	type: "object",
	additionalProperties: false,
	properties: {
		mode: { type: "string", enum: ["presign"] },
		input_url: { type: "string", minLength: 1, maxLength: 8192 },
		filename: { type: "string", minLength: 1, maxLength: 1024 },
		job_id: { type: "string", pattern: "^[a-zA-Z0-9]+$", maxLength: 128 },
		transcription_config: { type: "object" },
	},
};

type Submission = { mode?: string; input_url?: string; filename?: string; transcription_config?: object };

const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } });
app.post<{ Body: Submission }>("/v1/batch/jobs", { schema: { body } }, async (request, reply) => {
	const organisationId = await organisationOf(String(request.headers["x-api-key"]));
	if (!organisationId) return reply.code(401).send({ error: "Invalid API key" });
	const jobId = `job${crypto.randomUUID().replaceAll("-", "")}`;
	const now = new Date();
	const presign = request.body.mode === "presign";
	const key = `inputs/${organisationId}/${jobId}/${request.body.filename ?? "audio"}`;
	const client = await pool.connect();
	try {
		await client.query("begin");
		const { rowCount } = await client.query(
			"select 1 from organisations where id = $1 and (credit_seconds is null or credit_seconds > 0)",
			[organisationId],
		);
		if (rowCount === 0) {
			await client.query("rollback");
			return reply.code(402).send({ error: "Insufficient credits" });
		}
		if (presign)
			await client.query("insert into uploads values ($1, $2, $3, $4, $5)", [
				...[organisationId, jobId, key],
				...[JSON.stringify(request.body), now],
			]);
		else
			await client.query(
				`insert into jobs (organisation_id, job_id, model_code, status, job_config, input_url, input_metadata,
						wake_at, deadline_at, submitted_at) values ($1, $2, 'default', 'QUEUED', $3, $4, '{}', $5, $6, $7)`,
				[
					...[organisationId, jobId, JSON.stringify(request.body.transcription_config ?? {})],
					...[request.body.input_url, new Date(now.getTime() + 30_000)],
					...[new Date(now.getTime() + 86_400_000), now],
				],
			);
		await client.query("commit");
	} finally {
		client.release();
	}
	if (!presign) {
		await queue.add("FetchInput", { organisation_id: organisationId, job_id: jobId });
		return reply.code(202).send({ job_id: jobId, status: "QUEUED" });
	}
	const put = new PutObjectCommand({ Bucket: "media", Key: key, ContentType: "application/octet-stream" });
	const url = await getSignedUrl(s3, put, { expiresIn: 3600, signableHeaders: new Set(["content-type"]) });
	return { job_id: jobId, upload: { url, s3_key: key, expires_in: 3600 } };
});
await app.listen({ port, host: "127.0.0.1" });
process.send?.("ready");
