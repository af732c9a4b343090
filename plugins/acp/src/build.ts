import type {BuildTools} from '@gemini-kernel/plugin-devkit/contract';

/** Puts what is used of the ACP SDK into one file. */
export async function build({bundle}: BuildTools): Promise<void> {
  await bundle({entries: {'acp-sdk.js': 'sdk/agent.js'}, licences: 'acp-sdk-licenses.txt'});
}
