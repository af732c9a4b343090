import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {createTestKernel, readPlugin} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-trust/contract';
import {makeFolder} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {spoilPlugin} from '../../helpers/spoil-plugin.js';
import {startConversation} from '../agent/conversation.js';

const script = [
  {pieces: [{kind: 'call' as const, id: 'w', name: 'write_file', input: {file_path: 'a.txt', content: 'x'}}]},
  {pieces: [{kind: 'text' as const, text: 'Done.'}]},
];

test.each([
  ['no editor is around', {}, []],
  // Proof that the modules would say so.
  [
    'a variable names one',
    {GEMINI_CLI_IDE_SERVER_PORT: '1'},
    [expect.stringMatching(/^@gemini-kernel\/plugin-ide failed at session:open .* was read$/)],
  ],
])(
  'when %s, a conversation with a change that is asked about reads nothing of the plugin that it does not need ' +
    '[ide.unloaded]',
  async (_, variables, first) => {
    await using folder = await makeFolder();
    const root = await spoilPlugin('ide', folder.path);
    await using talk = await startConversation({
      script,
      others: [await readPlugin(root)],
      variables,
      temporary: folder.path,
      confirm: 'yes',
    });
    expect(talk.kernel.kernel.catalog.refused).toEqual([]);
    await talk.send('write');
    await (await talk.kernel.service('trust')).reconsider();
    expect(talk.kernel.warnings.slice(0, 1)).toEqual(first);
  },
);

test('a folder that is left over from editors is looked at, and an empty one is not [ide.unloaded]', async () => {
  await using folder = await makeFolder();
  const root = await spoilPlugin('ide', folder.path);
  const place = join(folder.path, 'gemini', 'ide');
  await mkdir(place, {recursive: true});
  const warningsOf = async (): Promise<number> => {
    await using kernel = await createTestKernel({
      plugins: [
        ...['settings', 'trust', 'workspace', 'env', 'network', 'policy', 'filesystem', 'agent', 'model-gemini'].map(
          pluginRoot,
        ),
        root,
      ],
      live: true,
      temporary: folder.path,
      variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    });
    await kernel.session.close();
    return kernel.warnings.length;
  };
  expect(await warningsOf()).toBe(0);
  await writeFile(join(place, 'gemini-ide-server-1-2.json'), '{}');
  expect(await warningsOf()).toBe(1);
  await rm(join(place, 'gemini-ide-server-1-2.json'));
  expect(await warningsOf()).toBe(0);
});
