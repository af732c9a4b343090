import {mkdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {EndedCall} from '@gemini-kernel/kernel';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {KeptCall} from '@gemini-kernel/plugin-doctor/contract';
import {makeFolder} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';

const ended: EndedCall = {id: 'tool__1', tool: 'tool', began: 0, ms: 1, status: 'done', given: {text: 'a'}, spans: []};

describe('the journal of calls', () => {
  test('keeps calls in a file of their owner only, newest found first, by id or its beginning [why.kept]', async () => {
    await using kernel = await createTestKernel({plugins: [pluginRoot('doctor')]});
    const journal = await kernel.service('journal');
    await journal.record(ended);
    await journal.record({...ended, id: 'tool__2', given: 'x'.repeat(1000)});
    expect(await journal.find('last')).toMatchObject({
      id: 'tool__2',
      cwd: kernel.project,
      given: `${'x'.repeat(300)}… (1000 characters)`,
    });
    expect([
      (await journal.find('tool__1'))?.id,
      (await journal.find('tool'))?.id,
      await journal.find('other'),
    ]).toEqual(['tool__1', 'tool__2', undefined]);
    const file = join(kernel.kernel.environment.cacheDir, 'calls.jsonl');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('forgets the oldest when it grows, and reads past a line that was cut off [why.bounded]', async () => {
    await using kernel = await createTestKernel({plugins: [pluginRoot('doctor')]});
    const {cacheDir} = kernel.kernel.environment;
    const journal = await kernel.service('journal');
    await mkdir(cacheDir, {recursive: true});
    await writeFile(join(cacheDir, 'calls.jsonl'), `${JSON.stringify({...ended, id: 'old'})}\n${'x'.repeat(1 << 20)}`);
    await journal.record({...ended, id: 'new'});
    expect((await journal.recent(9)).map(({id}) => id)).toEqual(['new', 'old']);
    expect(await readFile(join(cacheDir, 'calls.jsonl'), 'utf8')).toMatch(/^\{[^\n]*"new"[^\n]*\}\n$/);
  });

  test('that cannot be written warns once, and the call continues [why.unwritable]', async () => {
    await using kernel = await createTestKernel({plugins: [pluginRoot('doctor')]});
    await writeFile(kernel.kernel.environment.cacheDir, 'a file in place of the folder');
    const journal = await kernel.service('journal');
    await journal.record(ended);
    await journal.record(ended);
    expect(kernel.warnings).toEqual([expect.stringContaining('gemini why will not find it')]);
  });
});

describe('gemini why', () => {
  test('says who judged the last call, what each said and how long it took [why.command]', async () => {
    await using folder = await makeFolder();
    await writeFile(join(folder.path, 'a.txt'), 'hello');
    const run = (...args: string[]) => runGemini(args, {cwd: folder.path, home: folder.path});
    await run('tools', 'call', 'read_file', 'file_path=a.txt');
    const {stdout, code} = await run('why');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^read_file of @gemini-kernel\/plugin-filesystem ran, [\d.]+ ms, .* UTC, in /);
    expect(stdout).toContain('Input   {"file_path":"a.txt"}\n');
    expect(stdout).toContain(`Touches read path ${join(folder.path, 'a.txt')}\n`);
    expect(stdout).toMatch(
      /ms {2}tool:judge +@gemini-kernel\/plugin-policy +allow {2}It is allowed\. \(rule read-tools, Default: read-only\.toml:\d+\)/,
    );
    const kept = JSON.parse((await run('why', 'read_file', '--json')).stdout) as KeptCall;
    expect(kept).toMatchObject({
      tool: 'read_file',
      status: 'done',
      call: {session: {mode: 'default', interactive: false}},
    });
  });

  test('says why a call was refused, and by whom [why.command]', async () => {
    await using folder = await makeFolder();
    await writeFile(join(folder.path, '.env'), 'KEY=1');
    const run = (...args: string[]) => runGemini(args, {cwd: folder.path, home: folder.path});
    await run('tools', 'call', 'read_file', 'file_path=.env');
    expect((await run('why')).stdout).toMatch(
      /^read_file of @gemini-kernel\/plugin-filesystem was refused, [^\n]*\n[^\n]*\n@gemini-kernel\/plugin-policy: Environment files hold secrets\.[^\n]*\(rule env-files, Default: sensitive\.toml:\d+\)\n/,
    );
  });

  test('of a call that is not kept names those that are [why.command]', async () => {
    await using folder = await makeFolder();
    const {code, stderr} = await runGemini(['why'], {cwd: folder.path, home: folder.path});
    expect({code, stderr}).toEqual({
      code: 42,
      stderr: 'Error: No call is recorded.\nNo call is recorded yet. Make one with gemini tools call.\n',
    });
  });
});
