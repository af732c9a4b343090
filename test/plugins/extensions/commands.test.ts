import {mkdir, readFile, realpath, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {templateNames} from '#plugins/extensions/dist/templates/templates.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {onPosix} from '../../helpers/where.js';
import {extension, makeFolder, shared, writeFiles, type Folder} from './scene.js';

let place: Folder;
beforeAll(async () => {
  place = await makeFolder();
  const one = {
    name: 'one',
    settings: [
      {name: 'Host', envVar: 'HOST'},
      {name: 'Token', envVar: 'TOKEN', sensitive: true},
    ],
  };
  await writeFiles(join(place.path, 'one'), extension(one, {'GEMINI.md': 'Be kind.'}));
  await writeFiles(join(place.path, 'home'), shared('theirs', extension({name: 'theirs'})));
});
afterAll(() => place[Symbol.asyncDispose]());

const run = (...words: readonly string[]): Promise<RunResult> =>
  runGemini(['extensions', ...words], {cwd: place.path, home: join(place.path, 'home')});

const codeOf = ({stdout}: RunResult): unknown => (JSON.parse(stdout) as {error: {code: string}}).error.code;

async function states(): Promise<unknown> {
  const {stdout} = await run('list', '--json');
  const {extensions} = JSON.parse(stdout) as {extensions: readonly Record<string, unknown>[]};
  return extensions.map(({name, state, unused}) => [name, state, (unused as {reason: string} | undefined)?.reason]);
}

test('install, list, disable, enable and uninstall [extensions.commands]', async () => {
  const refused = await run('install', 'one');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('install it with --consent')]);
  const done = await run('install', 'one', '--consent');
  expect([done.code, done.stdout]).toEqual([0, 'one 1.0.0 is installed.\n']);
  expect(done.stderr).toContain('It needs Host, Token: `gemini extensions config one`.');
  expect(await states()).toEqual([
    ['one', 'locked', undefined],
    ['theirs', 'unlocked', undefined],
  ]);
  expect((await run('disable', 'ONE', '--scope', 'workspace')).stdout).toContain('one is disabled in this directory');
  expect(await states()).toEqual([
    ['one', 'locked', 'disabled'],
    ['theirs', 'unlocked', undefined],
  ]);
  await run('enable', 'one');
  expect((await run('show', 'one')).stdout).toContain('  Tells the model what is in GEMINI.md');
  expect((await run('adopt', 'theirs', '--consent')).stdout).toBe('theirs 1.0.0 is installed.\n');
  expect((await run('adopt', 'theirs')).stderr).toContain('is locked; there is nothing to adopt');
  expect((await run('uninstall', 'one')).stdout).toBe('one is removed.\n');
  expect(await states()).toEqual([['theirs', 'locked', undefined]]);
  const unknown = await run('show', 'one');
  expect([unknown.code, unknown.stderr]).toEqual([1, 'Error: There is no extension "one".\nThere are: theirs.\n']);
  expect(codeOf(await run('show', 'one', '--json'))).toBe('EXTENSION_UNKNOWN');
});

onPosix('an installed file that changes keeps its extension from being used [extensions.changed]', async () => {
  await run('install', 'one', '--consent');
  const {stdout} = await run('show', 'one', '--json');
  const {folder} = JSON.parse(stdout) as {folder: string};
  await writeFile(join(folder, 'GEMINI.md'), 'Be rude.');
  const list = await run('list');
  expect(list.stdout).toContain(
    'The extension "one" is not used: its files are not those the lock was made for (GEMINI.md).',
  );
  await run('update', 'one', '--consent');
  expect((await run('list')).stdout).not.toContain('is not used');
});

onPosix('values are kept for the person alone, and secrets are not shown [extensions.settings]', async () => {
  await run('install', 'one', '--consent');
  await run('config', 'one', 'TOKEN', '--value', 's3cret');
  const {stdout} = await run('config', 'one', 'host', '--value', 'a "b"');
  expect(stdout).toBe('Host (HOST): a "b"\nToken (TOKEN): set\n');
  const file = join(place.path, 'home', '.gemini', 'extension-settings', 'one.env');
  expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['HOST="a \\"b\\""\n', 0o600]);
  const sealed = join(place.path, 'home', '.gemini', 'extension-secrets.json');
  expect([await readFile(sealed, 'utf8'), (await stat(sealed)).mode & 0o777]).toEqual([
    expect.not.stringContaining('s3cret'),
    0o600,
  ]);
  expect((await run('config', 'one', '--json')).stdout).not.toContain('s3cret');
  const odd = await run('config', 'one', 'COLOUR', '--value', 'x');
  expect([odd.code, odd.stderr]).toEqual([1, expect.stringContaining('It asks for: HOST, TOKEN.')]);
});

onPosix('a value can be piped in, and nothing piped in is an error [extensions.settings]', async () => {
  await run('install', 'one', '--consent');
  const pipe = (input: string, ...words: readonly string[]): Promise<RunResult> =>
    runGemini(['extensions', 'config', 'one', 'TOKEN', ...words], {
      cwd: place.path,
      home: join(place.path, 'home'),
      input,
    });
  await run('config', 'one', 'TOKEN', '--unset');
  expect((await pipe('s3cret\nmore\n')).stdout).toContain('Token (TOKEN): set');
  const none = await pipe('', '--json');
  expect([none.code, codeOf(none)]).toEqual([1, 'EXTENSION_VALUE_MISSING']);
  expect((await pipe('x'.repeat(20_000))).stderr).toContain('Standard input has no line with a value for TOKEN.');
});

onPosix(
  'a secret that was kept as text is replaced, and an uninstalled extension leaves none [extensions.settings]',
  async () => {
    await run('install', 'one', '--consent');
    const folder = join(place.path, 'home', '.gemini', 'extension-settings');
    await mkdir(folder, {recursive: true});
    await writeFile(join(folder, 'one.env'), 'TOKEN="old"\nHOST="h"\n');
    expect((await run('config', 'one', 'HOST', '--value', 'h')).stdout).toContain('Token (TOKEN): set');
    await run('config', 'one', 'TOKEN', '--value', 'new');
    expect(await readFile(join(folder, 'one.env'), 'utf8')).toBe('HOST="h"\n');
    expect((await run('config', 'one', 'HOST', '--unset')).stdout).toBe('Host (HOST): not set\nToken (TOKEN): set\n');
    await run('uninstall', 'one');
    await run('install', 'one', '--consent');
    expect((await run('config', 'one', 'HOST', '--unset')).stdout).toBe(
      'Host (HOST): not set\nToken (TOKEN): not set\n',
    );
  },
);

onPosix(
  'secrets that cannot be read are named, and the extension works without them [extensions.settings]',
  async () => {
    await run('install', 'one', '--consent');
    await run('config', 'one', 'TOKEN', '--value', 's3cret');
    await rm(join(place.path, 'home', '.gemini', 'mcp-credentials.key'));
    expect(codeOf(await run('config', 'one', 'HOST', '--value', 'h', '--json'))).toBe('EXTENSION_SECRETS_BROKEN');
    const {code, stderr} = await runGemini(['tools', 'list'], {cwd: place.path, home: join(place.path, 'home')});
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('s3cret')]);
    await rm(join(place.path, 'home', '.gemini', 'extension-secrets.json'));
  },
);

test('each template is valid, and can be linked [extensions.commands]', async () => {
  for (const name of templateNames) {
    await run('new', `made/t-${name}`, name);
    const {code, stdout} = await run('check', `made/t-${name}`);
    expect([name, code, stdout]).toEqual([name, 0, expect.stringContaining(`t-${name} 1.0.0 is valid.`)]);
  }
  expect(codeOf(await run('new', 'made/t-hooks', '--json'))).toBe('EXTENSION_EXISTS');
  expect((await run('new', 'made/a b')).stderr).toContain('An extension cannot be called "a b"');
  const linked = await run('link', 'made/t-context');
  expect(linked.stdout).toBe(
    `t-context 1.0.0 is used from ${await realpath(join(place.path, 'made', 't-context'))}.\n`,
  );
  expect((await run('check', 'made')).stderr).toContain('it has no gemini-extension.json');
  expect((await run('uninstall', 't-context')).code).toBe(0);
});

onPosix('a store that cannot be written is named [extensions.install]', async () => {
  const home = join(place.path, 'closed');
  await writeFiles(home, {'.local': 'a file'});
  const {stdout} = await runGemini(['extensions', 'install', 'one', '--consent', '--json'], {cwd: place.path, home});
  expect(codeOf({stdout, stderr: '', code: 1})).toBe('EXTENSION_UNWRITABLE');
});
