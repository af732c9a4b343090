import {execFile} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';

const check = (...args: string[]): Promise<{code: number; stdout: string}> =>
  promisify(execFile)(process.execPath, [join(checkout, 'test/lint/words.mjs'), ...args]).then(
    ({stdout}) => ({code: 0, stdout}),
    ({code, stdout}: {code: number; stdout: string}) => ({code, stdout}),
  );

test('a word that the glossary replaces is named with its place and what to write', async () => {
  const folder = await mkdtemp(join(checkout, 'docs', 'words-'));
  try {
    await writeFile(join(folder, 'page.md'), 'One.\nThe work go\u0065s on.\nIt ends.\n');
    await writeFile(
      join(folder, 'fine.md'),
      "The outcome is `nobody`, and {outcome: 'nobody'} [ask.nobody, managed.anew]. A mender is a person.\n",
    );
    const at = `docs/${basename(folder)}/`;
    expect(await check(at)).toEqual({
      code: 1,
      stdout: `${at}page.md:2 "go\u0065s on": write "continue".\n`,
    });
  } finally {
    await rm(folder, {recursive: true});
  }
});

test('the repository has none of these words', async () => {
  expect(await check()).toEqual({code: 0, stdout: ''});
});
