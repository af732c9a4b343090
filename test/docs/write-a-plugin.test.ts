import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {matches, readSteps} from './markdown-steps.js';
import {follow, makeNewcomer} from './newcomer.js';

const page = join(checkout, 'docs', 'write-a-plugin.md');

test('a newcomer who does what docs/write-a-plugin.md says sees what it shows', async () => {
  await using newcomer = await makeNewcomer();
  expect(await follow(newcomer, await readSteps(page))).toEqual({files: 12, commands: 33});
}, 180_000);

test('what docs/write-a-plugin.md shows of a new plugin is what create makes', async () => {
  await using newcomer = await makeNewcomer();
  await newcomer.run('gemini plugins create words --directory . --no-install');
  const shown = (await readSteps(page))
    .flatMap((step) => (step.kind === 'file' ? [step] : []))
    .filter(({path}) => path !== 'README.md');
  const made = await Promise.all(
    shown.slice(0, 4).map(async ({path}) => ({path, text: await readFile(join(newcomer.folder, path), 'utf8')})),
  );
  expect(made).toEqual(shown.slice(0, 4).map(({path, text}) => ({path, text})));
});

test.each([
  ['a\n', 'a\n', true],
  ['a\n', 'a', true],
  ['a\n', 'a\nb\n', false],
  ['', '', true],
  ['', 'noise\n', false],
  ['...\nb\n', 'a\na\nb\n', true],
  ['...\n', '', true],
  ['...\nb\n', 'a\n', false],
  ['a ... c\n', 'a b b c\n', true],
  ['a ... c\n', 'a\nc\n', false],
  ['a (b).\n', 'a (b)!\n', false],
])('what a page shows as %j is seen in %j: %s', (shown, output, expected) =>
  expect(matches(shown, output)).toBe(expected),
);
