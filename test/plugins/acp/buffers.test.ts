import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {call, connect, createScene, say, type Connected, type Person, type Scene} from './scene.js';

/** An editor with files open; it saves what it is given unless told otherwise. */
function open(texts: Readonly<Record<string, string>>, {saves = true} = {}) {
  const buffers = new Map(Object.entries(texts));
  const asked: string[] = [];
  const written: string[] = [];
  const person: Person & {readonly asked: readonly string[]; readonly written: readonly string[]} = {
    asked,
    written,
    read({path}) {
      asked.push(path);
      const text = buffers.get(path);
      if (text === undefined) throw new Error('not open');
      return text;
    },
    async write({path, content}) {
      written.push(path);
      buffers.set(path, content);
      if (saves) await writeFile(path, content);
    },
    answer: () => 'yes',
  };
  return Object.assign(person, {buffers});
}

const sentTo = (scene: Scene): string => JSON.stringify(scene.model.requests.at(-1)?.messages);
const read = (path: string, more: Record<string, unknown> = {}) => call('r', 'read_file', {file_path: path, ...more});
const replace = (from: string, to: string) =>
  call('e', 'replace', {file_path: 'a.txt', instruction: 'x', old_string: from, new_string: to});

async function run(editor: Connected, scene: Scene, ...answers: ReturnType<typeof say>[]): Promise<string> {
  const {sessionId} = await editor.open();
  scene.model.script([...answers, say('ok')]);
  await editor.prompt(sessionId, 'go');
  return sessionId;
}

/** How the model can look at a file. */
const looks: readonly {readonly title: string; readonly prompt: string; readonly call?: ReturnType<typeof call>}[] = [
  {title: 'read_file', prompt: 'go', call: read('a.txt')},
  {title: 'read_file of some lines', prompt: 'go', call: read('a.txt', {start_line: 1, end_line: 5})},
  {title: 'read_many_files', prompt: 'go', call: call('m', 'read_many_files', {include: ['a.txt']})},
  {title: '@file of a prompt', prompt: 'explain @a.txt'},
];

test.each(looks)('$title gives the text that is not saved yet [acp.buffers]', async ({prompt, call: looked}) => {
  await using scene = await createScene();
  const path = join(scene.project, 'a.txt');
  const person = open({[path]: 'alpha\nedited but not saved\n'});
  await using editor = await connect(scene, person);
  const {sessionId} = await editor.open();
  scene.model.script([...(looked ? [looked] : []), say('ok')]);
  await editor.prompt(sessionId, prompt);
  expect(sentTo(scene)).toContain('edited but not saved');
  expect(sentTo(scene)).not.toContain('beta');
  expect(await readFile(path, 'utf8')).toBe('alpha\nbeta\n');
  expect(person.written).toEqual([]);
});

test.each([
  {title: 'saved by the editor', saves: true, disk: 'alpha\nchanged\n'},
  {title: 'left to the person to save', saves: false, disk: 'alpha\nbeta\n'},
])('an edit is made on the text of the editor, by the editor, $title [acp.buffers]', async ({saves, disk}) => {
  await using scene = await createScene();
  const path = join(scene.project, 'a.txt');
  const person = open({[path]: 'alpha\nunsaved\n'}, {saves});
  await using editor = await connect(scene, person);
  const session = await run(editor, scene, replace('unsaved', 'changed'));
  expect(editor.asked[0]?.toolCall.content).toContainEqual({
    ...{type: 'diff', path, oldText: 'alpha\nunsaved\n', newText: 'alpha\nchanged\n'},
  });
  expect(person.buffers.get(path)).toBe('alpha\nchanged\n');
  expect(person.written).toEqual([path]);
  expect(await readFile(path, 'utf8')).toBe(disk);
  const end = await editor.seen(session, 'tool_call_update', ({status}) => status === 'completed');
  expect(end.content).toEqual([{type: 'diff', path, oldText: 'alpha\nunsaved\n', newText: 'alpha\nchanged\n'}]);
});

test.each([
  {title: 'lines that are only in the editor', pattern: 'unsaved', finds: ['unsaved words', 'a.txt'], not: []},
  {title: 'no lines that are only on the disk', pattern: 'beta', finds: ['No matches found'], not: ['L2']},
  {title: 'lines of files that are not open', pattern: 'delta', finds: ['delta', 'c.txt'], not: ['a.txt']},
])('grep_search finds $title [acp.buffers]', async ({pattern, finds, not}) => {
  await using scene = await createScene({'project/c.txt': 'delta\n'});
  const person = open({[join(scene.project, 'a.txt')]: 'alpha\nunsaved words\n'});
  await using editor = await connect(scene, person);
  const session = await run(editor, scene, read('a.txt'), call('g', 'grep_search', {pattern}));
  const result = editor
    .updates(session)
    .filter((one) => one.sessionUpdate === 'tool_call_update' && one.status === 'completed')
    .at(-1);
  const text = JSON.stringify(result);
  for (const one of finds) expect(text).toContain(one);
  for (const one of not) expect(text).not.toContain(one);
});

test('what the person types after a read is not written over [acp.buffers]', async () => {
  await using scene = await createScene();
  const path = join(scene.project, 'a.txt');
  const person = open({[path]: 'alpha\nunsaved\n'});
  await using editor = await connect(scene, {
    ...person,
    answer: () => {
      person.buffers.set(path, 'alpha\nunsaved\ntyped since\n');
      return 'yes';
    },
  });
  await run(editor, scene, read('a.txt'), replace('unsaved', 'changed'));
  expect(sentTo(scene)).toContain('has changed since it was last read');
  expect(person.buffers.get(path)).toBe('alpha\nunsaved\ntyped since\n');
});

test('two edits in a row, and a new file, go through the editor [acp.buffers]', async () => {
  await using scene = await createScene();
  const [path, fresh] = [join(scene.project, 'a.txt'), join(scene.project, 'deep/new.txt')];
  const person = open({[path]: 'alpha\nunsaved\n'});
  await using editor = await connect(scene, person);
  const write = call('w', 'write_file', {file_path: 'deep/new.txt', content: 'fresh\n'});
  await run(editor, scene, replace('alpha', 'one'), replace('unsaved', 'two'), write);
  expect(person.buffers.get(path)).toBe('one\ntwo\n');
  expect(await readFile(fresh, 'utf8')).toBe('fresh\n');
  expect(person.written).toEqual([path, path, fresh]);
});

/** Editors and files for which the disk is what counts. */
const plain: readonly {
  readonly title: string;
  readonly saved: string | Buffer;
  readonly person: (path: string) => Person;
  readonly edited: string | Buffer;
}[] = [
  {
    title: 'an editor that has it open with other ends of lines',
    saved: 'alpha\r\nbeta\r\n',
    person: (path) => open({[path]: 'alpha\nbeta'}),
    edited: 'alpha\r\ngamma\r\n',
  },
  {
    title: 'a byte order mark',
    saved: '\uFEFFalpha\nbeta\n',
    person: (path) => open({[path]: 'alpha\nbeta\n'}),
    edited: '\uFEFFalpha\ngamma\n',
  },
  {
    title: 'an editor that says it wrote and did not',
    saved: 'alpha\nbeta\n',
    person: () => ({read: () => 'alpha\nbeta\n', write: () => undefined, answer: () => 'yes'}),
    edited: 'alpha\ngamma\n',
  },
  {
    title: 'an editor that refuses to write',
    saved: 'alpha\nbeta\n',
    person: (path) => ({
      ...open({[path]: 'alpha\nbeta\n'}),
      write: () => {
        throw new Error('read only');
      },
    }),
    edited: 'alpha\ngamma\n',
  },
  {
    title: 'an editor that cannot write',
    saved: 'alpha\nbeta\n',
    person: (path) => {
      const {read: reads} = open({[path]: 'alpha\nbeta\n'});
      return {...(reads ? {read: reads} : {}), answer: () => 'yes'};
    },
    edited: 'alpha\ngamma\n',
  },
];

test.each(plain)('with $title, the disk is written, byte for byte [acp.buffers]', async ({saved, person, edited}) => {
  await using scene = await createScene();
  const path = join(scene.project, 'a.txt');
  await writeFile(path, saved);
  await using editor = await connect(scene, person(path));
  await run(editor, scene, read('a.txt'), replace('beta', 'gamma'));
  expect(await readFile(path)).toEqual(Buffer.from(edited));
});

test('the editor is asked for text of the workspace only [acp.buffers] [acp.hostile]', async () => {
  await using scene = await createScene();
  await writeFile(join(scene.project, 'data.bin'), Buffer.from([0, 1, 2, 255]));
  const person = open({[join(scene.other, 'b.txt')]: 'of another folder', [join(scene.project, 'data.bin')]: 'x'});
  await using editor = await connect(scene, person);
  await run(editor, scene, read(join(scene.other, 'b.txt')), read('data.bin'), read('missing.txt'), read('a.txt'));
  expect(person.asked).toEqual([join(scene.project, 'a.txt')]);
});

test('an editor that does not answer costs one wait, and the disk is read [acp.buffers] [acp.hostile]', async () => {
  await using scene = await createScene();
  let asked = 0;
  await using editor = await connect(scene, {
    read: () => {
      asked += 1;
      return new Promise(() => undefined);
    },
  });
  await run(editor, scene, read('a.txt'), read('a.txt'));
  expect(sentTo(scene)).toContain('beta');
  expect(asked).toBe(1);
});
