import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import type {SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {startConversation} from './conversation.js';

const say = (text: string): ScriptedAnswer => ({pieces: [{kind: 'text', text}]});
const lastPrompt = (request: SeenRequest | undefined): string =>
  (request?.messages.at(-1)?.pieces ?? [])
    .map((piece) => ('text' in piece ? piece.text : `(${piece.kind})`))
    .join('\n');

describe('@paths [agent.mentions]', () => {
  test('a file is attached, spelt from its root, between the marks', async () => {
    await using talk = await startConversation({script: [say('ok')], files: {'src/a b.ts': 'let a;\n'}});
    await talk.send('explain @"src/a b.ts" please');
    expect(lastPrompt(talk.server.requests[0])).toMatch(
      /explain @src\/a b\.ts please\n\n--- Content from referenced files ---\n\nContent from @src\/a b\.ts:\n\n[\s\S]*let a;[\s\S]*--- End of content ---$/,
    );
  });

  test('a folder gives what is in it, a picture goes as a picture', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await using talk = await startConversation({
      script: [say('ok'), say('ok')],
      files: {'lib/a.ts': 'A', 'lib/deep/b.ts': 'B', 'p.png': png},
    });
    await talk.send('look at @lib');
    expect(lastPrompt(talk.server.requests[0])).toMatch(/A[\s\S]*B/);
    await talk.send('and @p.png');
    expect(talk.server.requests[1]?.messages.at(-1)?.pieces.filter(({kind}) => kind === 'data')).toMatchObject([
      {mimeType: 'image/png'},
    ]);
  });

  test('a word that is no path stays as it is, and one that is left out is said', async () => {
    await using talk = await startConversation({
      script: [say('ok')],
      files: {'.geminiignore': 'secret.txt\n', 'secret.txt': 'x'},
    });
    await talk.send('ask @alice about @secret.txt and @gone.ts');
    expect(lastPrompt(talk.server.requests[0])).toMatch(/ask @alice about @secret\.txt and @gone\.ts$/);
    expect(talk.events.filter(({kind}) => kind === 'note')).toMatchObject([
      {severity: 'warning', text: expect.stringContaining('.geminiignore, line 1')},
    ]);
  });

  test('what lies outside is not read, also not through a link', async () => {
    await using talk = await startConversation({script: [say('ok')], files: {'a.txt': 'x'}});
    const outside = join(dirname(talk.kernel.project), 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'key.txt'), 'TOP SECRET');
    await symlink(outside, join(talk.kernel.project, 'link'));
    await talk.send(`read @link/key.txt and @${outside}/key.txt and @../outside/key.txt`);
    expect(JSON.stringify(talk.server.requests[0]?.body)).not.toContain('TOP SECRET');
    expect(talk.events.filter(({kind}) => kind === 'note')).toHaveLength(3);
  });
});

describe('a name without its folder [files.mention]', () => {
  const files = {
    'src/deep/parser.ts': 'PARSED',
    'docs/Notes.md': 'NOTED',
    'node_modules/x/hidden.ts': 'HIDDEN',
    'lib/team/a.ts': 'A',
  };

  test('means the one file of that name, wherever it lies, and however it is written', async () => {
    await using talk = await startConversation({script: [say('ok')], more: ['search'], files});
    await talk.send('look at @parser.ts and @notes.md');
    expect(lastPrompt(talk.server.requests[0])).toMatch(
      /look at @src\/deep\/parser\.ts and @docs\/Notes\.md\n[^]*Content from @src\/deep\/parser\.ts:\n[^]*PARSED[^]*Content from @docs\/Notes\.md:\n[^]*NOTED/,
    );
  });

  test('means none of several, unless upper and lower case tell them apart', async () => {
    const same = Object.fromEntries(Array.from({length: 60}, (_, index) => [`d${index}/index.ts`, 'SAME']));
    await using talk = await startConversation({
      script: [say('ok')],
      more: ['search'],
      files: {...same, 'a/Case.ts': 'UPPER', 'b/case.ts': 'LOWER'},
    });
    await talk.send('@index.ts @CASE.ts @Case.ts');
    expect(lastPrompt(talk.server.requests[0])).toMatch(/\n@index\.ts @CASE\.ts @a\/Case\.ts\n/);
  });

  test.each([
    ['a part of a name', 'ask @parse about it, or @arser.ts'],
    ['a name without its extension', 'in @parser and @Notes'],
    ["a word without a dot, even a file's name", 'add @Override and install the @latest'],
    ['a folder', 'ask the @team'],
    ['an address', 'write to me@notes.md and joe@parser.ts'],
    ['a package', 'install @deep/parser'],
    ['what no search enters', 'open @hidden.ts'],
  ])('%s stays text', async (_, text) => {
    await using talk = await startConversation({
      script: [say('ok')],
      more: ['search'],
      files: {...files, 'src/Override': '', 'bin/latest': ''},
    });
    await talk.send(text);
    expect(lastPrompt(talk.server.requests[0]).split('\n').at(-1)).toBe(text);
  });

  test.each([
    ['where nothing finds files', {more: []}],
    [
      'where the settings say that nothing is searched',
      {more: ['search'], settings: {context: {fileFiltering: {enableRecursiveFileSearch: false}}}},
    ],
  ])('is text %s', async (_, options) => {
    await using talk = await startConversation({script: [say('ok')], files, ...options});
    await talk.send('look at @parser.ts');
    expect(lastPrompt(talk.server.requests[0])).toMatch(/look at @parser\.ts$/);
  });

  test('is read like by any other call: what must not be read is not', async () => {
    await using talk = await startConversation({
      script: [say('ok')],
      more: ['search'],
      files: {'keys/server.pem': 'TOP SECRET', 'conf/.env': 'KEY=TOP SECRET'},
    });
    await talk.send('look at @server.pem and @.env');
    expect(JSON.stringify(talk.server.requests[0]?.body)).not.toContain('TOP SECRET');
    expect(talk.events.filter(({kind}) => kind === 'note')).toMatchObject([
      {severity: 'warning'},
      {severity: 'warning'},
    ]);
  });

  test('does not count when it is there, outside or left out', async () => {
    await using talk = await startConversation({
      script: [say('ok')],
      more: ['search'],
      files: {'.geminiignore': '/plan.md\n', 'plan.md': 'SECRET', 'sub/plan.md': 'OTHER'},
    });
    await talk.send('look at @plan.md');
    expect(lastPrompt(talk.server.requests[0])).toMatch(/look at @plan\.md$/);
    expect(talk.events.filter(({kind}) => kind === 'note')).toMatchObject([
      {severity: 'warning', text: expect.stringContaining('.geminiignore, line 1')},
    ]);
  });
});

describe('memory [memory.context]', () => {
  test("the person's file is in the instruction, the project's in the first message, a folder's comes with the result", async () => {
    await using talk = await startConversation({
      more: ['secrets', 'memory'],
      files: {
        'GEMINI.md': 'Project rules. Ask @alice. @rules.md',
        'rules.md': 'More rules.',
        'src/GEMINI.md': 'Folder rules.',
        'src/a.ts': 'a',
      },
      homeFiles: {'.gemini/GEMINI.md': 'My rules.'},
      script: [
        {
          pieces: [
            {kind: 'call', name: 'read_file', input: {file_path: 'src/a.ts'}},
            {kind: 'call', name: 'read_file', input: {file_path: 'src/a.ts'}},
          ],
        },
        say('ok'),
      ],
    });
    await talk.send('go');
    const [first, second] = talk.server.requests;
    expect(first?.system).toContain('My rules.');
    const start = JSON.stringify(first?.messages[0]);
    expect(start).toContain('Project rules. Ask @alice. <!-- Imported from: rules.md -->\\nMore rules.');
    expect(start).not.toContain('Folder rules.');
    const outputs = second?.messages.at(-1)?.pieces.map((piece) => JSON.stringify(piece)) ?? [];
    expect(outputs.filter((output) => output.includes('--- Newly Discovered Project Context ---'))).toHaveLength(1);
    expect(outputs.join('')).toContain('Folder rules.');
  });

  test('a folder that is not trusted says nothing', async () => {
    await using talk = await startConversation({
      more: ['secrets', 'memory'],
      confirm: 'no',
      variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
      files: {'GEMINI.md': 'Project rules.'},
      homeFiles: {'.gemini/GEMINI.md': 'My rules.'},
      script: [say('ok')],
    });
    await talk.send('go');
    expect(JSON.stringify(talk.server.requests[0]?.body)).not.toContain('Project rules.');
    expect(talk.server.requests[0]?.system).toContain('My rules.');
  });
});

test('directories that are added later are reported with the next prompt, once [agent.turn]', async () => {
  await using talk = await startConversation({script: [say('ok'), say('ok'), say('ok')]});
  await talk.send('one');
  const lib = join(dirname(talk.kernel.project), 'lib');
  await mkdir(lib);
  await (await talk.kernel.service('workspace')).add([lib], {scope: 'session'});
  await talk.send('two');
  await talk.send('three');
  expect(lastPrompt(talk.server.requests[1])).toMatch(
    new RegExp(`^two\\n[^]*The directories of the workspace have changed[^]*  - ${lib}\\n`),
  );
  expect(lastPrompt(talk.server.requests[2])).toBe('three');
});

describe('the system instruction', () => {
  test("the person's own replaces the built-in one", async () => {
    await using talk = await startConversation({
      script: [say('ok')],
      files: {'.gemini/system.md': 'Be a pirate.'},
      variables: {GEMINI_SYSTEM_MD: '1'},
    });
    await talk.send('go');
    expect(talk.server.requests[0]?.system).toBe('Be a pirate.');
  });

  test('one that cannot be read ends the prompt, and no model is asked', async () => {
    await using talk = await startConversation({script: [], variables: {GEMINI_SYSTEM_MD: '/nowhere/system.md'}});
    expect(await talk.send('go')).toMatchObject({status: 'failed', error: {code: 'SYSTEM_FILE_UNREADABLE'}});
    expect(talk.server.requests).toEqual([]);
  });
});

describe('compression [agent.compress]', () => {
  const long = (text: string): ScriptedAnswer => ({pieces: [{kind: 'text', text: text.repeat(800)}]});
  const isSummary = ({system}: SeenRequest): boolean => system.startsWith('You summarise');

  test('the older part becomes a summary, the newest stays, and the scene is kept', async () => {
    await using talk = await startConversation({
      script: (request) =>
        isSummary(request)
          ? say('<scratchpad>x</scratchpad><state_snapshot>All was well.</state_snapshot>')
          : long('All is well here. \n\n- '),
    });
    for (const text of ['one', 'two', 'three', 'four', 'five']) await talk.send(text);
    const quiet = {signal: new AbortController().signal, onEvent: () => undefined};
    const done = await talk.agent.compress(quiet);
    expect(done).toMatchObject({status: 'compressed'});
    expect(done.after).toBeLessThan(done.before / 2);
    await talk.send('six');
    const messages =
      talk.server.requests
        .at(-1)
        ?.messages.map(({role, pieces}) => [
          role,
          pieces.map((piece) => ('text' in piece ? piece.text.slice(0, 60) : piece.kind)),
        ]) ?? [];
    expect(messages[0]).toEqual([
      'user',
      [expect.stringContaining('<session_context>'), expect.stringContaining('A model wrote this summary')],
    ]);
    expect(messages.at(-3)?.[1]).toEqual(['five']);
    expect(talk.server.faults).toEqual([]);
  });

  test('a summary that is longer is discarded', async () => {
    await using talk = await startConversation({
      script: (request) => (isSummary(request) ? long('longer and longer ') : say('ok')),
    });
    for (const text of ['one', 'two', 'three', 'four']) await talk.send(text);
    expect(await talk.agent.compress({signal: new AbortController().signal, onEvent: () => undefined})).toMatchObject({
      status: 'larger',
    });
    await talk.send('five');
    expect(talk.server.requests.at(-1)?.messages).toHaveLength(9);
  });

  test('it happens automatically at the threshold, and what would be too long is not sent', async () => {
    const events: string[] = [];
    await using talk = await startConversation({
      settings: {model: {name: 'gemini-2.5-pro'}},
      script: (request) =>
        isSummary(request)
          ? say('<state_snapshot>Short.</state_snapshot>')
          : {...long('All is well here. \n\n- '), usage: {input: 600_000, output: 10, total: 600_010}},
    });
    for (const text of ['one', 'two', 'three', 'four', 'five']) await talk.send(text);
    events.push(...talk.events.map(({kind}) => kind));
    expect(events).toContain('compressed');
  });

  test('a conversation that is too long even so is said to be, before anything is sent', async () => {
    await using talk = await startConversation({settings: {model: {name: 'gemini-2.5-pro'}}, script: [say('x')]});
    const end = await talk.send('漢'.repeat(1_200_000));
    expect(end).toMatchObject({
      status: 'failed',
      error: {code: 'CONTEXT_TOO_LONG', message: expect.stringContaining('It was not sent')},
    });
    expect(talk.server.requests).toEqual([]);
  });
});

describe('answers of a form [headless.schema]', () => {
  const schema = {type: 'object', required: ['count'], properties: {count: {type: 'integer'}}};
  const ask = async (answers: readonly ScriptedAnswer[]): Promise<{end: object; requests: number}> => {
    await using talk = await startConversation({script: answers});
    const end = await talk.agent.send(
      {text: 'count', answer: schema},
      {signal: new AbortController().signal, onEvent: () => undefined},
    );
    return {end, requests: talk.server.requests.length};
  };

  test('one that fits is given without its fence', async () => {
    expect(await ask([say('```json\n{"count": 3}\n```')])).toMatchObject({
      end: {status: 'done', text: '{"count": 3}'},
      requests: 1,
    });
  });

  test('one that does not fit is asked for once more, with what is wrong', async () => {
    expect(await ask([say('three'), say('{"count": 3}')])).toMatchObject({
      end: {status: 'done', text: '{"count": 3}'},
      requests: 2,
    });
  });

  test('two that do not fit are a failure', async () => {
    expect(await ask([say('three'), say('{"count": "3"}')])).toMatchObject({
      end: {status: 'failed', error: {code: 'ANSWER_MISFIT', message: expect.stringContaining('count')}},
      requests: 2,
    });
  });
});
