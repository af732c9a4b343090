import type {BuildTools} from '@gemini-kernel/plugin-devkit/contract';

/** Puts what is used of the A2A SDK into one file. */
export async function build({bundle}: BuildTools): Promise<void> {
  await bundle({
    entries: {'a2a-sdk.js': 'sdk/server.js', 'a2a-client.js': 'sdk/client.js', 'a2a-jose.js': 'sdk/jose.js'},
    licences: 'a2a-sdk-licenses.txt',
  });
}
