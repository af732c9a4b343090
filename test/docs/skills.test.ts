import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {parse} from 'smol-toml';
import {checkout} from '../helpers/plugin-root.js';
import {runGemini} from '../helpers/run-gemini.js';
import {matches, readSteps} from './markdown-steps.js';

const page = join(checkout, 'docs', 'skills.md');

test('the files and commands of docs/skills.md do what it says [skills.commands]', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-docs-')));
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  let commands = 0;
  try {
    for (const step of await readSteps(page)) {
      if (step.kind === 'file') {
        await mkdir(dirname(join(cwd, step.path)), {recursive: true});
        await writeFile(join(cwd, step.path), step.text);
        continue;
      }
      const {code, stdout, stderr} = await runGemini(step.command.split(' ').slice(1), {cwd, home});
      expect({...step, code, fits: matches(step.output, stderr + stdout) || stderr + stdout}).toEqual({
        ...step,
        code: 0,
        fits: true,
      });
      commands += 1;
    }
  } finally {
    await rm(root, {recursive: true, force: true});
  }
  expect(commands).toBe(8);
}, 30_000);

test('the rule on the page is one', async () => {
  const [, text = ''] = /```toml\n([^]*?)```/.exec(await readFile(page, 'utf8')) ?? [];
  expect(parse(text)).toMatchObject({rule: [{toolName: 'activate_skill', decision: 'allow'}]});
});
