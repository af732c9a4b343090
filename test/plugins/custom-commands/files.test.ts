import {execFileSync} from 'node:child_process';
import {mkdir, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {SearchedFolder} from '@gemini-kernel/plugin-custom-commands/contract';
import {CommandFiles} from '#plugins/custom-commands/dist/files/command-files.js';
import {commandName} from '#plugins/custom-commands/dist/files/command-name.js';
import {makeFolder, type Folder} from '../../helpers/make-plugin.js';

const origin = {kind: 'person'} as const;

async function makeFiles(
  files: Readonly<Record<string, string>>,
): Promise<Folder & {readonly searched: SearchedFolder[]}> {
  const folder = await makeFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), {recursive: true});
    await writeFile(join(folder.path, name), text);
  }
  return {...folder, searched: [{folder: folder.path, origin}]};
}

test('names come from folders and files, as in Gemini CLI [commands.names]', () => {
  expect(commandName(['git', 'commit.toml'])).toBe('git:commit');
  expect(commandName(['a b', 'c:d é.v2.toml'])).toBe('a_b:c_d__.v2');
  expect(commandName([`${'x'.repeat(60)}.toml`])).toBe(`${'x'.repeat(47)}...`);
});

test('what a file says is read, with defaults [commands.files]', async () => {
  await using folder = await makeFiles({
    'a.toml': 'prompt = "A"\nother = 1',
    'b.toml': `\uFEFFdescription = "${'long '.repeat(40)}"\nargument-hint = "[what]\\u001b"\nprompt = '''\nB'''`,
    '.hidden.toml': 'prompt = "no"',
    '.git/x.toml': 'prompt = "no"',
    'c.md': 'no',
  });
  const {commands, faults} = await new CommandFiles('bash').list(folder.searched);
  expect(faults).toEqual([]);
  expect(commands).toEqual([
    {
      id: `person::${folder.path}/a.toml`,
      name: 'a',
      description: 'Custom command from a.toml',
      file: join(folder.path, 'a.toml'),
      origin,
      parts: [{kind: 'text', text: 'A'}],
    },
    {
      id: `person::${folder.path}/b.toml`,
      name: 'b',
      description: `${'long '.repeat(40).slice(0, 97)}...`,
      argumentHint: '[what]',
      file: join(folder.path, 'b.toml'),
      origin,
      parts: [{kind: 'text', text: 'B'}],
    },
  ]);
});

describe('a broken file is named with line and column [commands.broken]:', () => {
  test.each([
    ['no TOML', 'prompt = "x\n', 1, 12],
    ['no prompt', 'description = "x"', 1, 1],
    ['a prompt that is no text', 'description = "x"\nprompt = 3', 2, 1],
    ['an empty prompt', 'prompt = " "', 1, 1],
    ['a description that is no text', 'prompt = "x"\ndescription = []', 2, 1],
    ['an open placeholder', 'prompt = """\none\n  !{two {\n"""', 3, 3],
    ['an open placeholder on a line like an earlier one', 'prompt = """\na\na @{\n"""', 3, 3],
    ['arguments that would run', 'prompt = "go !{eval {{args}}}"', 1, 21],
  ])('%s', async (_, text, line, column) => {
    await using folder = await makeFiles({'bad.toml': text, 'good.toml': 'prompt = "x"'});
    const {commands, faults} = await new CommandFiles('bash').list(folder.searched);
    expect(commands.map(({name}) => name)).toEqual(['good']);
    expect(faults).toEqual([
      {file: join(folder.path, 'bad.toml'), kind: 'broken', line, column, reason: expect.any(String)},
    ]);
    expect(faults[0]?.reason).toContain(`bad.toml, line ${line}, column ${column}: `);
  });
});

test('links are followed, a loop of links ends, and what is no file is skipped with a sentence [commands.bounds]', async () => {
  await using outside = await makeFiles({'deep/linked.toml': 'prompt = "x"'});
  await using folder = await makeFiles({'a/b.toml': 'prompt = "x"', 'large.toml': ''});
  const at = (name: string): string => join(folder.path, name);
  await symlink(outside.path, at('outside'));
  await symlink(folder.path, at('a/loop'));
  await symlink(at('nowhere'), at('dangling.toml'));
  await symlink('/dev/zero', at('endless.toml'));
  await truncate(at('large.toml'), (1 << 20) + 1);
  execFileSync('mkfifo', [at('pipe.toml')]);
  const {commands, faults} = await new CommandFiles('bash').list(folder.searched);
  expect(commands.map(({name}) => name)).toEqual(['a:b', 'outside:deep:linked']);
  expect(faults.map(({kind, reason}) => [kind, reason.replaceAll(folder.path, '')])).toEqual([
    ['skipped', '/a/loop was skipped: it is a link to a folder that contains it.'],
    ['skipped', '/dangling.toml was skipped: it is a link that leads nowhere, or cannot be reached.'],
    ['skipped', '/endless.toml was skipped: it is a FIFO, a socket or a device.'],
    ['skipped', '/large.toml was skipped: it is larger than 1 MiB.'],
    ['skipped', '/pipe.toml was skipped: it is a FIFO, a socket or a device.'],
  ]);
});

test('1,000 commands are listed within 10 ms once they are read, the next one is skipped [commands.bounds]', async () => {
  const all = Array.from({length: 1001}, (_, index) => [`c${String(index).padStart(4, '0')}.toml`, 'prompt = "x"']);
  await using folder = await makeFiles(Object.fromEntries(all) as Record<string, string>);
  const files = new CommandFiles('bash');
  const {commands, faults, version} = await files.list(folder.searched);
  expect(commands).toHaveLength(1000);
  expect(faults).toMatchObject([
    {kind: 'skipped', reason: expect.stringContaining('c1000.toml and all files after it')},
  ]);
  const times: number[] = [];
  for (let run = 0; run < 20; run += 1) {
    const started = performance.now();
    expect((await files.list(folder.searched)).version).toBe(version);
    times.push(performance.now() - started);
  }
  expect(Math.min(...times)).toBeLessThan(10);
});

test('a file that is changed, new or gone is noticed with the next list, and others are not read again [commands.reload]', async () => {
  await using folder = await makeFiles({'a.toml': 'prompt = "1"', 'b.toml': 'prompt = "b"'});
  const files = new CommandFiles('bash');
  const list = async (): Promise<unknown> => {
    const {version, commands} = await files.list(folder.searched);
    return [version, ...commands.map(({name, parts}) => [name, parts])];
  };
  const text = (text: string): unknown => [{kind: 'text', text}];
  const before = await files.list(folder.searched);
  expect(await list()).toEqual([1, ['a', text('1')], ['b', text('b')]]);
  await writeFile(join(folder.path, 'a.toml'), 'prompt = "2"');
  expect(await list()).toEqual([2, ['a', text('2')], ['b', text('b')]]);
  const after = await files.list(folder.searched);
  expect(after.commands[1]?.parts).toBe(before.commands[1]?.parts);
  await writeFile(join(folder.path, 'c.toml'), 'prompt = "c"');
  await rm(join(folder.path, 'a.toml'));
  expect(await list()).toEqual([3, ['b', text('b')], ['c', text('c')]]);
  files.forget();
  expect(await list()).toEqual([4, ['b', text('b')], ['c', text('c')]]);
});

test('a folder that is left out, or not there, is not read [commands.trust]', async () => {
  await using folder = await makeFiles({'a.toml': 'prompt = "x"'});
  const searched = [
    {folder: folder.path, origin, leftOut: 'It is not trusted.'},
    {folder: join(folder.path, 'none'), origin},
  ];
  expect(await new CommandFiles('bash').list(searched)).toEqual({
    version: 1,
    folders: searched,
    commands: [],
    faults: [],
  });
});
