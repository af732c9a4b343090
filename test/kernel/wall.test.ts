import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {makeFolder, makePlugin} from '../helpers/make-plugin.js';

declare module '@gemini-kernel/kernel' {
  interface Services {
    luck: {draw(): Promise<number>; hidden(): Promise<number>; shuffle?(): Promise<number>};
  }
}

const CODE = `import {provide} from '@gemini-kernel/kernel';
export default provide('luck', {version: '1.0.0', scope: 'place', create: () => ({draw: async () => 7, hidden: async () => 1})});
`;

/** What comes of asking a service whose manifest names these methods, through the glass wall. */
async function ask(
  methods: readonly string[],
  act: (luck: {draw(): unknown; hidden(): unknown}) => unknown,
): Promise<unknown> {
  await using folder = await makeFolder();
  const entry = {name: 'luck', version: '1.0.0', scope: 'place', methods, module: './luck.js'} as const;
  const plugin = await makePlugin(folder.path, {name: 'lucky', services: [entry], files: {'luck.js': CODE}});
  await using kernel = await createTestKernel({plugins: [plugin], wall: true});
  return await kernel
    .service('luck')
    .then(act)
    .catch((error: Error) => error.message);
}

test('a service behind the wall has the methods that its manifest names, and no others [kernel.service-methods]', async () => {
  expect([
    await ask(['draw'], (luck) => luck.draw()),
    await ask(['draw'], (luck) => luck.hidden()),
    await ask(['draw', 'shuffle'], (luck) => luck.draw()),
  ]).toEqual([
    7,
    'luck.hidden is not among the methods that the manifest of lucky names.',
    'lucky could not start its service luck: luck has no method shuffle, which the manifest of lucky names.',
  ]);
});
