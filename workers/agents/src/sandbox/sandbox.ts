import type { PythonRpc } from "@parley/contracts/python-rpc";
import type { Ctx } from "../context.ts";

/** The worker that builds and runs code; it never throws for what the code does. */
export const sandboxOf = ({ env }: Ctx): PythonRpc => env.PYTHON as unknown as PythonRpc;
