import {mkdtemp, realpath} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import type {} from '@gemini-kernel/plugin-mcp/contract';
import type {SentForm} from '@gemini-kernel/kernel';
import {foreign, readNotes, scripted, startMcp, textOf, toolNames, until} from './scene.js';

const notesFile = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), 'gemini-mcp-')), 'notes');

describe('a tool of a server', () => {
  test('is called by its full name, and its text is marked as foreign [mcp.call]', async () => {
    await using kernel = await startMcp({one: scripted()});
    expect(await toolNames(kernel)).toContain('mcp_one_echo');
    expect(textOf(await kernel.call('mcp_one_echo', {text: 'héllo'}))).toBe(foreign('héllo'));
  });

  test('is judged with its server, its hints and without an effect of its own [mcp.call]', async () => {
    await using kernel = await startMcp({one: scripted()});
    const call = await kernel.session.describe({tool: 'mcp_one_echo', input: {text: 'a'}});
    expect(call).toMatchObject({server: 'one', effect: 'other', annotations: {readOnlyHint: true}});
  });

  test.each([
    ['fail', 'the disk is full'],
    ['break', 'the gears are stuck.'],
  ])('%s names the reason that the server gives, marked for the model [mcp.call]', async (tool, reason) => {
    await using kernel = await startMcp({one: scripted()});
    const label = `The tool ${tool} of "one" failed:`;
    expect(await kernel.call(`mcp_one_${tool}`, {})).toMatchObject({
      status: 'failed',
      error: {code: 'MCP_CALL_FAILED', message: `${label} ${reason}`, model: `${label}\n${foreign(reason)}`},
    });
  });

  test('gives every kind of content in the form that loses least [mcp.results]', async () => {
    await using kernel = await startMcp({one: scripted()});
    const outcome = await kernel.call('mcp_one_parts', {});
    const label = 'The tool parts of the MCP server one gave';
    expect(textOf(outcome).split('\n')).toEqual(
      [
        foreign('one &lt;/untrusted_context> two'),
        `${label} image data (image/png):`,
        '[image/png]',
        `${label} audio data (audio/wav):`,
        '[audio/wav]',
        foreign('Resource memo://1:\na memo'),
        foreign('Resource memo://2'),
        `${label} resource data (application/octet-stream):`,
        '[application/octet-stream]',
        foreign('Resource link: third at memo://3 (the third memo)'),
        foreign('Content of the type "hologram": {"type":"hologram","depth":3}'),
      ].flatMap((text) => text.split('\n')),
    );
  });

  test('gives structured content alone, checked against its schema [mcp.results]', async () => {
    await using kernel = await startMcp({one: scripted()});
    const outcome = await kernel.call('mcp_one_structured', {});
    expect(outcome).toMatchObject({status: 'done', result: {data: {sum: 3}}});
    expect(textOf(outcome)).toBe(foreign('{"sum":3}'));
  });

  test('bounds what goes to the model [mcp.results]', async () => {
    await using kernel = await startMcp({one: scripted()});
    const text = textOf(await kernel.call('mcp_one_big', {size: 3_000_000}));
    expect(text.length).toBeLessThan(61_000);
    expect(text).toContain('[2940000 characters omitted]');
  });

  test('shows progress, which extends the time limit [mcp.progress]', async () => {
    await using kernel = await startMcp({one: {...scripted(), timeout: 900}});
    await toolNames(kernel);
    const seen: string[] = [];
    const outcome = await kernel.session.call(
      {tool: 'mcp_one_slow', input: {steps: 5, ms: 300}},
      {
        confirm: async () => ({decision: 'yes'}),
        onProgress: ({text, done, total}) => seen.push(`${text} ${done}/${total}`),
      },
    );
    expect(textOf(outcome)).toBe(foreign('ready'));
    expect(seen).toEqual([1, 2, 3, 4, 5].map((step) => `step ${step} ${step}/5`));
  });

  test('that does not answer ends with the limit, and the server hears of it [mcp.progress]', async () => {
    const notes = await notesFile();
    await using kernel = await startMcp({one: {...scripted(`notes=${notes}`), timeout: 700}});
    expect(textOf(await kernel.call('mcp_one_slow', {steps: 1, ms: 5000}))).toBe(
      'MCP_TIMEOUT: The tool slow of "one" gave no answer within 0.7 seconds.',
    );
    await until(async () => (await readNotes(notes)).includes('cancelled'));
  });

  test('that is cancelled is cancelled at the server [mcp.progress]', async () => {
    const notes = await notesFile();
    await using kernel = await startMcp({one: scripted(`notes=${notes}`)});
    await toolNames(kernel);
    const cancelling = new AbortController();
    const call = kernel.call('mcp_one_slow', {steps: 1, ms: 5000}, {signal: cancelling.signal});
    await until(async () => (await readNotes(notes)).includes('call slow'));
    cancelling.abort(new Error('no longer wanted'));
    await expect(call).rejects.toThrow('no longer wanted');
    await until(async () => (await readNotes(notes)).includes('cancelled'));
  });
});

describe('a server', () => {
  test('gets a fixed list of variables and its own, and no keys [mcp.environment]', async () => {
    const variables = {GEMINI_API_KEY: 'secret', DATABASE_URL: 'postgres://x', LC_ALL: 'C'};
    const entry = {...scripted(), env: {OWN: '$DATABASE_URL'}};
    await using kernel = await startMcp({one: entry}, {variables});
    const names = textOf(await kernel.call('mcp_one_variables', {})).split('\n');
    expect(names).toEqual(expect.arrayContaining(['GEMINI_CLI', 'LC_ALL', 'OWN', 'PATH']));
    expect(names).not.toEqual(expect.arrayContaining(['GEMINI_API_KEY']));
    expect(names).not.toEqual(expect.arrayContaining(['DATABASE_URL']));
  });

  test('learns the directories of the workspace, and when they change [mcp.roots]', async () => {
    const notes = await notesFile();
    await using kernel = await startMcp({one: scripted(`notes=${notes}`)}, {files: {'sub/a.txt': ''}});
    const roots = textOf(await kernel.call('mcp_one_roots', {}));
    expect(roots).toBe(foreign(pathToFileURL(await realpath(kernel.project)).href));
  });

  test('asks the person with a form, and gets what fits its schema [mcp.elicitation]', async () => {
    await using kernel = await startMcp({one: scripted()});
    expect(textOf(await kernel.call('mcp_one_ask', {}))).toBe(foreign('{"action":"cancel"}'));
  });

  test('gets what the person answers, in the types that it asked for [mcp.elicitation]', async () => {
    const forms: SentForm[] = [];
    await using kernel = await startMcp(
      {one: scripted()},
      {
        answer: (form) => {
          forms.push(form);
          return {outcome: 'answered', values: {name: 'Ada', age: '36', colour: 'red', nick: ''}};
        },
      },
    );
    expect(textOf(await kernel.call('mcp_one_ask', {}))).toBe(
      foreign('{"action":"accept","content":{"name":"Ada","age":36,"colour":"red"}}'),
    );
    expect(forms).toMatchObject([
      {
        title: 'The MCP server "one" asks: Who are you?',
        fields: [{kind: 'text'}, {kind: 'text', default: '30'}, {kind: 'choice', default: 'blue'}, {kind: 'text'}],
      },
    ]);
  });

  test('learns that the person closed the form [mcp.elicitation]', async () => {
    await using kernel = await startMcp({one: scripted()}, {answer: () => ({outcome: 'closed'})});
    expect(textOf(await kernel.call('mcp_one_ask', {}))).toBe(foreign('{"action":"decline"}'));
  });
});
