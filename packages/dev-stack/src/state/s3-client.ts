import { readFileSync } from "node:fs";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";

/** An S3 client of a stack's storage, with the credentials that the stack signs with. */
export function s3ClientOf({ baseUrl, state }: { baseUrl: string; state: string }): S3Client {
	const secrets = JSON.parse(readFileSync(join(state, "secrets.json"), "utf8"));
	return new S3Client({
		endpoint: `${baseUrl}/cdn-cgi/local/r2/s3`,
		region: "auto",
		forcePathStyle: true,
		credentials: { accessKeyId: secrets.R2_ACCESS_KEY_ID, secretAccessKey: secrets.R2_SECRET_ACCESS_KEY },
		requestChecksumCalculation: "WHEN_REQUIRED",
	});
}
