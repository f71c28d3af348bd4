import { testWorkerContract } from "@parley/http/openapi/test-worker-contract";
import { app } from "./app.ts";

testWorkerContract(app);
