import { WorkerEntrypoint } from "cloudflare:workers";
import type {
	DecodeAudio,
	DecodedAudio,
	DecodeRefusal,
	DecoderRpc,
} from "@parley/contracts/internal/decoder-rpc";
import decoder from "@parley/decoder/assets/decoder.wasm";
import { decodeAudio } from "./decode-audio.ts";

export class Decoder extends WorkerEntrypoint<Env> implements DecoderRpc {
	decode(request: DecodeAudio): Promise<DecodedAudio | DecodeRefusal> {
		return decodeAudio(decoder, request);
	}
}

export default {
	fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<Env>;
