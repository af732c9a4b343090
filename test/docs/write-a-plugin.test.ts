import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {matches, readSteps} from './markdown-steps.js';
import {makeNewcomer} from './newcomer.js';

const page = join(checkout, 'docs', 'write-a-plugin.md');

test('a newcomer who does what docs/write-a-plugin.md says sees what it shows', async () => {
  await using newcomer = await makeNewcomer();
  const steps = await readSteps(page);
  for (const step of steps) {
    if (step.kind === 'file') await newcomer.write(step.path, step.text);
    else {
      const output = await newcomer.run(step.command);
      const {line, command} = step;
      expect({line, command, output}).toEqual({line, command, output: matches(step.output, output) ? output : step.output});
    }
  }
  expect(steps.filter(({kind}) => kind === 'file').length).toBeGreaterThan(10);
  expect(steps.filter(({kind}) => kind === 'command').length).toBeGreaterThan(20);
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
