import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {readSteps} from './markdown-steps.js';
import {follow, makeNewcomer} from './newcomer.js';

test.each([
  ['hooks.md', {files: 1, commands: 5}],
  ['extensions.md', {files: 1, commands: 12}],
  ['commands.md', {files: 0, commands: 6}],
  ['terminal.md', {files: 1, commands: 7}],
  ['memory.md', {files: 0, commands: 9}],
  ['catalogs.md', {files: 1, commands: 7}],
])('who does what docs/%s says sees what it shows [docs.guides]', async (page, steps) => {
  await using newcomer = await makeNewcomer();
  expect(await follow(newcomer, await readSteps(join(checkout, 'docs', page)))).toEqual(steps);
}, 60_000);
