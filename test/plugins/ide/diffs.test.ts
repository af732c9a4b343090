import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startBridge} from './bridge.js';

const write = (content = 'new\n'): readonly ScriptedAnswer[] => [
  {pieces: [{kind: 'call', id: 'w', name: 'write_file', input: {file_path: 'a.txt', content}}]},
  {pieces: [{kind: 'text', text: 'Done.'}]},
];
const replace: readonly ScriptedAnswer[] = [
  {
    pieces: [
      {
        kind: 'call',
        id: 'r',
        name: 'replace',
        input: {file_path: 'a.txt', instruction: 'x', old_string: 'old', new_string: 'new'},
      },
    ],
  },
  {pieces: [{kind: 'text', text: 'Done.'}]},
];

/** A prompt whose change is on show in the editor and asked about in the terminal. */
async function ask(script: readonly ScriptedAnswer[] = write()) {
  const bridge = await startBridge({script, files: {'a.txt': 'old\n'}, confirm: 'no'});
  const path = join(bridge.kernel.project, 'a.txt');
  const asked = bridge.terminal.next();
  const ended = bridge.send('write it');
  await asked;
  for (const started = Date.now(); !bridge.editor.views.has(path); await new Promise(setImmediate))
    if (Date.now() - started > 5000) throw new Error('Nothing is shown.');
  const [question] = bridge.terminal.asked;
  if (!question) throw new Error('Nothing was asked.');
  return {
    bridge,
    path,
    ended,
    question,
    content: () => readFile(path, 'utf8'),
    results: () => bridge.events.flatMap((event) => (event.kind === 'result' ? [event.call] : [])),
    [Symbol.asyncDispose]: () => bridge[Symbol.asyncDispose](),
  };
}

test(
  'a yes in the editor is a yes: the text as it stands there is written, and the terminal shows that it is over ' +
    '[ide.accept]',
  async () => {
    await using asked = await ask();
    expect(asked.bridge.editor.views.get(asked.path)).toBe('new\n');
    asked.bridge.companion.accept(asked.path, 'new\n');
    await asked.ended;
    expect([await asked.content(), await asked.question.withdrawn]).toEqual(['new\n', 'Someone else has answered.']);
    expect(asked.results()).toMatchObject([{status: 'done'}]);
  },
);

test.each([
  ['write_file', write()],
  ['replace', replace],
])(
  'what the person edits in the editor is what %s writes, and the model learns of it [ide.edited]',
  async (_, script) => {
    await using asked = await ask(script);
    asked.bridge.companion.accept(asked.path, 'mine\nand more\n');
    await asked.ended;
    expect(await asked.content()).toBe('mine\nand more\n');
    expect(asked.results()).toMatchObject([
      {status: 'done', output: [{text: expect.stringContaining('The person edited this before approving it')}, {}]},
    ]);
  },
);

test('other line ends alone are no edit', async () => {
  await using asked = await ask();
  asked.bridge.companion.accept(asked.path, 'new\r\n');
  await asked.ended;
  expect([await asked.content(), asked.results()[0]?.output.length]).toEqual(['new\n', 1]);
});

test('a no in the editor is a no, with who said it [ide.reject]', async () => {
  await using asked = await ask();
  asked.bridge.companion.reject(asked.path);
  await asked.ended;
  expect([await asked.content(), asked.results()[0]?.error?.message]).toEqual([
    'old\n',
    'The person rejected the change in Test Editor.',
  ]);
});

test('a yes in the terminal closes the view, and takes what was edited there [ide.terminal-first]', async () => {
  await using asked = await ask();
  asked.bridge.editor.views.set(asked.path, 'edited in the editor\n');
  asked.question.answer({decision: 'yes'});
  await asked.ended;
  expect([await asked.content(), asked.bridge.editor.views.size, asked.bridge.editor.acts.at(-1)]).toEqual([
    'edited in the editor\n',
    0,
    `close ${asked.path}`,
  ]);
});

test('a no in the terminal closes the view, whatever stands there [ide.terminal-first]', async () => {
  await using asked = await ask();
  asked.bridge.editor.views.set(asked.path, 'edited\n');
  asked.question.answer({decision: 'no', reason: 'No.'});
  await asked.ended;
  expect([await asked.content(), asked.bridge.editor.views.size]).toEqual(['old\n', 0]);
});

test('a prompt that is given up closes the view and writes nothing [ide.abort]', async () => {
  await using bridge = await startBridge({script: write(), files: {'a.txt': 'old\n'}, confirm: 'no'});
  const path = join(bridge.kernel.project, 'a.txt');
  const stop = new AbortController();
  const asked = bridge.terminal.next();
  const ended = bridge.send('write it', stop.signal);
  await asked;
  for (const started = Date.now(); !bridge.editor.views.has(path); await new Promise(setImmediate))
    if (Date.now() - started > 5000) throw new Error('Nothing is shown.');
  stop.abort(new Error('enough'));
  await ended;
  for (const started = Date.now(); bridge.editor.views.size > 0; await new Promise(setImmediate))
    if (Date.now() - started > 5000) throw new Error('It is still shown.');
  expect(await readFile(path, 'utf8')).toBe('old\n');
});

test('an editor that dies while it shows a change leaves the question to the terminal [ide.dies]', async () => {
  await using asked = await ask();
  await asked.bridge.companion.close();
  for (
    const started = Date.now();
    (await asked.bridge.ide.status()).state === 'connected';
    await new Promise(setImmediate)
  )
    if (Date.now() - started > 5000) throw new Error('It is still connected.');
  asked.question.answer({decision: 'yes'});
  await asked.ended;
  expect(await asked.content()).toBe('new\n');
});

test('an editor that cannot show a change says why, and the terminal decides alone [ide.unshown]', async () => {
  await using bridge = await startBridge({script: write(), files: {'a.txt': 'old\n'}, confirm: 'no'});
  bridge.editor.openDiff = () => Promise.reject(new Error('The window is minimised.'));
  const asked = bridge.terminal.next();
  const ended = bridge.send('write it');
  await asked;
  bridge.terminal.asked[0]?.answer({decision: 'yes'});
  await ended;
  expect(await readFile(join(bridge.kernel.project, 'a.txt'), 'utf8')).toBe('new\n');
});

test('what is accepted in the editor while the terminal says yes is not lost [ide.terminal-first]', async () => {
  await using asked = await ask();
  const {editor, companion} = asked.bridge;
  editor.views.delete(asked.path);
  asked.question.answer({decision: 'yes'});
  companion.accept(asked.path, 'accepted at the same moment\n');
  await asked.ended;
  expect(await asked.content()).toBe('accepted at the same moment\n');
});

test(
  'an editor that does not return the text of its diff delays nothing, and a notice says which text is used ' +
    '[ide.silent]',
  async () => {
    await using asked = await ask();
    asked.bridge.editor.closeDiff = () => new Promise(() => undefined);
    const started = performance.now();
    asked.question.answer({decision: 'yes'});
    await asked.ended;
    expect([await asked.content(), performance.now() - started < 4500, asked.bridge.kernel.warnings]).toEqual([
      'new\n',
      true,
      ['Test Editor did not return the text of its diff, so the proposed text is used.'],
    ]);
  },
);

test('what stood in a view that was given up is never written for another call [ide.abort]', async () => {
  const second = {
    pieces: [{kind: 'call' as const, id: 'x', name: 'write_file', input: {file_path: 'a.txt', content: 'second\n'}}],
  };
  await using bridge = await startBridge({
    script: [...write('first\n').slice(0, 1), second, {pieces: [{kind: 'text', text: 'Done.'}]}],
    files: {'a.txt': 'old\n'},
    confirm: 'no',
  });
  const path = join(bridge.kernel.project, 'a.txt');
  const stop = new AbortController();
  const first = bridge.send('write it', stop.signal);
  for (const started = Date.now(); !bridge.editor.views.has(path); await new Promise(setImmediate))
    if (Date.now() - started > 5000) throw new Error('Nothing is shown.');
  bridge.editor.views.set(path, 'edited in the first view\n');
  stop.abort(new Error('enough'));
  await first;
  bridge.editor.openDiff = () => Promise.reject(new Error('No.'));
  const again = bridge.terminal.next();
  const ended = bridge.send('again');
  await again;
  bridge.terminal.asked.at(-1)?.answer({decision: 'yes'});
  await ended;
  expect(await readFile(path, 'utf8')).toBe('second\n');
});

test(
  'what an editor says of a diff before it stands counts once it does, and never when it could not be shown ' +
    '[ide.open-diff]',
  async () => {
    const {ShownDiffs} = await import('#plugins/ide/dist/diffs/shown-diffs.js');
    const show = async (isError: boolean): Promise<unknown> => {
      let answer = (_: {isError: boolean; text: string}): void => undefined;
      const opened = new Promise<{isError: boolean; text: string}>((resolve) => (answer = resolve));
      const diffs = new ShownDiffs((one, other) => one === other);
      const connection = {call: () => opened} as unknown as Parameters<typeof diffs.show>[0];
      const {decided} = await diffs.show(
        connection,
        {call: 'one', path: '/a.txt', text: 'new'},
        new AbortController().signal,
      );
      diffs.settle({decision: 'accepted', path: '/a.txt', text: 'evil'});
      answer({isError, text: 'It cannot be shown.'});
      return decided.catch((error: Error) => error.message);
    };
    expect([await show(false), await show(true)]).toEqual([
      {decision: 'accepted', text: 'evil'},
      'It cannot be shown.',
    ]);
  },
);
