import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** A kernel with a tool that gives the path that the contract says is its own. */
async function kernelWith(touches: readonly object[]) {
  const source = await makePlugin(folder.path, {
    name: 'marks',
    services: [{name: 'tools:marks', version: '1.0.0', scope: 'session', module: './source.js'}],
    files: {
      'source.js': `import {provide, subjectOf} from '@gemini-kernel/kernel';
export default provide('tools:marks', {version: '1.0.0', scope: 'session', create: () => ({
  list: async () => [{name: 'mark', description: '', effect: 'read', input: {type: 'object'}}],
  touches: async () => ${JSON.stringify(touches)},
  run: async (name, input, {call}) => ({model: subjectOf(call)}),
})});`,
    },
  });
  return createTestKernel({plugins: [source], confirm: 'yes'});
}

const beside = {kind: 'path', value: '/etc/rules', access: 'read'};

test('a tool works on the touch that it marks as its subject, wherever it stands [tools.subject]', async () => {
  await using kernel = await kernelWith([beside, {kind: 'path', value: '/work/a', access: 'write', isSubject: true}]);
  expect(await kernel.call('mark', {})).toMatchObject({status: 'done', result: {model: '/work/a'}});
});

test.each([
  ['no subject', [beside], 'mark marks no touch as its subject.'],
  [
    'two subjects',
    [
      {...beside, isSubject: true},
      {...beside, isSubject: true},
    ],
    'mark marks two touches as its subject: /etc/rules, /etc/rules.',
  ],
  [
    'a path that is left to resolve',
    [{kind: 'path', value: '/a/../b', access: 'read', isSubject: true}],
    'mark marks /a/../b as its subject, which is not an absolute, normal path.',
  ],
  [
    'an address',
    [{kind: 'url', value: 'https://example.com', access: 'read', isSubject: true}],
    'mark marks https://example.com as its subject, which is not an absolute, normal path.',
  ],
])('a call with %s fails with a sentence [tools.subject]', async (_, touches, sentence) => {
  await using kernel = await kernelWith(touches);
  expect(await kernel.call('mark', {})).toMatchObject({
    status: 'failed',
    error: {code: 'TOOL_CRASHED', message: `mark crashed: ${sentence}`},
  });
});
