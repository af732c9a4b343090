import {Config} from '@oclif/core';
import {expect, test} from '@jest/globals';
import type {CommandHost} from '@gemini-kernel/command';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import Chat from '#plugins/agent/dist/commands/chat.js';

test('a conversation without a user interface is said, and what would help', async () => {
  const plugins = ['settings', 'trust', 'env', 'network', 'workspace', 'agent', 'model-replay'].map(pluginRoot);
  await using kernel = await createTestKernel({
    plugins,
    confirm: 'no',
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  });
  const host = {
    catalog: kernel.kernel.catalog,
    boot: () => kernel.kernel,
    signal: new AbortController().signal,
    colour: false,
    terminal: false,
    describe: () => undefined,
    input: process.stdin,
    output: process.stdout,
  } as unknown as CommandHost;
  const config = new Config({root: checkout, gemini: host} as unknown as ConstructorParameters<typeof Config>[0]);
  await config.load();
  await expect(Chat.run(['hello'], config)).rejects.toMatchObject({
    code: 'UI_MISSING',
    hint: expect.stringContaining('--prompt'),
  });
});
