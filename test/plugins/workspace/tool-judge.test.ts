import {symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {Touch} from '@gemini-kernel/kernel';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {temporaryDirectory} from './temporary-directory.js';

/** A kernel with a tool that touches what its input says, and nothing else. */
async function callReaching(
  folder: string,
  touches: (project: string) => readonly Touch[],
): Promise<{outcome: Awaited<ReturnType<TestKernel['call']>>; project: string}> {
  await writeFile(join(folder, 'reach.mjs'), TOOL);
  const tool = {
    name: 'reach',
    description: 'Reaches.',
    effect: 'read',
    annotations: {},
    input: {type: 'object'},
    module: './reach.mjs',
  } as const;
  const manifest = {
    manifestVersion: 1,
    name: 'reach',
    version: '1.0.0',
    description: 'Reaches.',
    kernel: '*',
    requires: {services: {}},
    capabilities: ['fs:read', 'fs:write', 'process'],
    tools: [tool],
    services: [],
    hooks: [],
    listeners: [],
    commands: [],
    flags: [],
    errors: {},
  } as const;
  await using kernel = await createTestKernel({
    plugins: [pluginRoot('settings'), pluginRoot('workspace'), {root: folder, origin: 'link', manifest}],
    confirm: 'yes',
    files: {'a.txt': ''},
  });
  await symlink('/etc', join(kernel.project, 'out'));
  const outcome = await kernel.call('reach', {touches: touches(kernel.project)});
  return {outcome, project: kernel.project};
}

const TOOL = `
  const brand = Symbol.for('gemini-kernel.brand');
  export default Object.defineProperty({
    name: 'reach', description: 'Reaches.', effect: 'read', annotations: {}, input: {type: 'object'},
    touches: async ({touches}) => touches,
    run: async () => ({model: 'reached'}),
  }, brand, {value: 'tool'});
`;

test.each<[string, (project: string) => readonly Touch[], 'done' | 'refused']>([
  ['a file inside', (project) => [{kind: 'path', value: join(project, 'a.txt'), access: 'read'}], 'done'],
  ['nothing', () => [], 'done'],
  ['a command that names an outside path', () => [{kind: 'command', value: 'cat /etc/passwd', access: 'run'}], 'done'],
  ['a file outside', (project) => [{kind: 'path', value: join(dirname(project), 'b.txt'), access: 'write'}], 'refused'],
  [
    'one file inside and one outside',
    (project) => [
      {kind: 'path', value: join(project, 'a.txt'), access: 'read'},
      {kind: 'path', value: '/etc/passwd', access: 'read'},
    ],
    'refused',
  ],
  [
    'a file beyond a link out',
    (project) => [{kind: 'path', value: join(project, 'out/passwd'), access: 'read'}],
    'refused',
  ],
  [
    'a file outside with a newline in its name',
    () => [{kind: 'path', value: '/etc/two\nlines', access: 'read'}],
    'refused',
  ],
])('a call that touches %s is %s', async (_, touches, expected) => {
  await using folder = await temporaryDirectory();
  const {outcome} = await callReaching(folder.path, touches);
  expect(outcome.status).toBe(expected);
});

test('a refusal names the path, the directories that tools reach, and the plugin [workspace.outside-refused]', async () => {
  await using folder = await temporaryDirectory();
  const {outcome, project} = await callReaching(folder.path, () => [
    {kind: 'path', value: '/etc/passwd', access: 'read'},
  ]);
  expect(outcome).toMatchObject({
    status: 'refused',
    reason:
      `/etc/passwd is outside the workspace. Tools can reach only ${project}. Use a path inside the workspace, ` +
      'or ask the user to run: gemini directory add /etc',
    by: '@gemini-kernel/plugin-workspace',
  });
});
