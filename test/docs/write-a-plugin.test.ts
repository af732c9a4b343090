import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {matches, readSteps} from './markdown-steps.js';
import {follow, makeNewcomer} from './newcomer.js';

test('a newcomer who does what docs/write-a-plugin.md says sees what it shows', async () => {
  await using newcomer = await makeNewcomer();
  expect(await follow(newcomer, await readSteps(join(checkout, 'docs', 'write-a-plugin.md')))).toEqual({files: 12, commands: 21});
}, 120_000);

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
])('what a page shows as %j is seen in %j: %s', (shown, output, expected) => expect(matches(shown, output)).toBe(expected));
