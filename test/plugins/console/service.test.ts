import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-agent/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';

test.each(['yes', 'no'] as const)('without a conversation, the caller answers a question: %s', async (confirm) => {
  await using kernel = await createTestKernel({
    plugins: ['settings', 'workspace', 'secrets', 'filesystem', 'console'].map(pluginRoot),
    confirm,
  });
  expect((await kernel.call('write_file', {file_path: 'a.txt', content: 'x'})).status).toBe(
    confirm === 'yes' ? 'done' : 'refused',
  );
});

test('it is whole with only what it requires, and leaves nothing behind', async () => {
  const kernel = await createTestKernel({plugins: ['settings', 'workspace', 'secrets', 'console'].map(pluginRoot)});
  expect([kernel.kernel.catalog.refused, typeof (await kernel.service('ui:console')).converse]).toEqual([
    [],
    'function',
  ]);
  await kernel.close();
  expect(kernel.warnings).toEqual([]);
});
