import {mkdir, mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {KeptCall} from '@gemini-kernel/plugin-doctor/contract';
import {runGemini} from '../../helpers/run-gemini.js';
import {answer, hook} from './scene.js';

const named = (name: string, command: string, more: Readonly<Record<string, unknown>> = {}): object => ({
  hooks: [{...hook(command, more), name}],
});

test('gemini why shows every hook that ran for a call, and what a failure of one stopped [hooking.why]', async () => {
  const root = await mkdtemp(join(tmpdir(), 'gemini-why-'));
  const [home, cwd] = [join(root, 'home'), join(root, 'project')];
  await mkdir(join(home, '.gemini'), {recursive: true});
  await mkdir(cwd);
  await writeFile(join(cwd, 'a.txt'), 'one\n');
  const run = async (hooks: object): Promise<{readonly kept: KeptCall; readonly shown: string}> => {
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({hooks}));
    await runGemini(['tools', 'call', 'read_file', 'file_path=a.txt'], {home, cwd});
    return {
      kept: JSON.parse((await runGemini(['why', '--json'], {home, cwd})).stdout) as KeptCall,
      shown: (await runGemini(['why'], {home, cwd})).stdout,
    };
  };
  const open = await run({
    BeforeTool: [named('crashing', 'kill -9 $$', {failure: 'open'}), named('content', answer({decision: 'allow'}))],
    AfterTool: [named('reader', answer({}))],
  });
  expect(open.kept.status).toBe('done');
  expect(open.kept.notes?.map(({at, name, failure}) => [at, name, failure])).toEqual([
    ['BeforeTool', 'crashing', 'open'],
    ['BeforeTool', 'content', undefined],
    ['AfterTool', 'reader', undefined],
  ]);
  expect(open.shown).toMatch(/BeforeTool {2}crashing {2}.*was ended by SIGKILL\. Its failure stopped nothing\./);
  expect(open.shown).toContain('content  It says allow.');

  const closed = await run({BeforeTool: [named('crashing', 'kill -9 $$')]});
  expect(closed.kept.status).toBe('refused');
  expect(closed.kept.notes).toMatchObject([{name: 'crashing', failure: 'closed'}]);
  expect(closed.shown).toContain('This stopped the call.');
});
