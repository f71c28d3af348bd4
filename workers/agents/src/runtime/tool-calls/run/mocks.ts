import type { CaseMock } from "@parley/contracts/agents/tool-cases";
import type { Ctx } from "../../../context.ts";
import type { Arguments } from "../../../runs/arguments.ts";
import type { Runnable } from "../../../runs/runnable.ts";
import { findMock } from "../../../tools/cases/mocked-endpoint.ts";
import { selectCases } from "../../../tools/cases/tool-cases.service.ts";
import { CallFailure } from "./call-failure.ts";

/** Returns the mock of the tool's test case that matches a call. @throws CallFailure MOCK_MISSING */
export async function mockFor(ctx: Ctx, tool: Runnable, args: Arguments): Promise<CaseMock> {
	const mock = findMock(await selectCases(ctx, tool.id), args);
	if (mock) return mock;
	throw new CallFailure(
		"MOCK_MISSING",
		`The session answers from mocks, and no test case of ${tool.name} mocks these arguments. Add a case with a mock.`,
	);
}
