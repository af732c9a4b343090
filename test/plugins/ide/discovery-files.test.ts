import {execFileSync} from 'node:child_process';
import {chmod, chown, link, mkdir, rename, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from '@jest/globals';
import {nodeUnderModes} from '../../helpers/node-under-modes.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {ABOVE, DEAD, LIVING, openDiscoveryPlace, portsOf, type DiscoveryPlace} from './discovery-place.js';

const isPosix = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;
const STRANGER = 65_534;

/** What was said of files that cannot be used, by their names. */
async function unfitOf(place: DiscoveryPlace): Promise<Readonly<Record<string, string>>> {
  const {unfit} = await place.discover();
  return Object.fromEntries(
    unfit.map(({file, message}) => [basename(file).replace(/^gemini-ide-server-|\.json$/g, ''), message]),
  );
}

const contents: Readonly<Record<string, readonly [said: object | string, message: string]>> = {
  'nothing': ['', 'it is empty'],
  'half a file': ['{"port": 40001, "authToken": "a-secret', 'it is not JSON'],
  'binary': ['\u0000\u0001\ufffd', 'it is not JSON'],
  'a list': ['["a-secret"]', 'it does not contain an object'],
  'a text': ['"a-secret"', 'it does not contain an object'],
  'null': ['null', 'it does not contain an object'],
  'no way in': [{port: undefined}, 'it names neither a port nor a command'],
  'an invalid port': [{port: 70_000}, 'its port is 70000, not a number from 1 to 65535'],
  'a port with words': [{port: '80; rm'}, 'its port is "80; rm", not a number from 1 to 65535'],
  'a port that is an object': [
    {port: {authToken: 'x'.repeat(100)}},
    'its port is {"authToken":"xxxxxx, not a number from 1 to 65535',
  ],
  'a token with a line end': [{authToken: 'a-secret\r\nHost: x'}, 'its token cannot be sent in a header'],
  'a token that is a number': [{authToken: 7}, 'its token cannot be sent in a header'],
  'folders without end': [{workspacePath: '/x:'.repeat(30_000)}, 'its workspacePath has 90000 characters, too many'],
};

test.each(Object.entries(contents))(
  'a file that holds %s is left out, the reason is said, and nothing of its token',
  async (_, [said, message]) => {
    await using place = await openDiscoveryPlace();
    await place.write(`${LIVING}-40001`, said);
    await place.write(`${LIVING}-40002`);
    expect(await unfitOf(place)).toEqual({[`${LIVING}-40001`]: message});
    expect(portsOf(await place.discover())).toEqual([40_002]);
  },
);

test('what is odd but harmless in a file does not count against it', async () => {
  await using place = await openDiscoveryPlace();
  const said = {
    port: '40001',
    workspacePath: place.project,
    authToken: '',
    ideInfo: {name: 'x'.repeat(200), displayName: ` ${'y'.repeat(200)}`},
    stdio: 'none',
    more: {of: ['it']},
  };
  await place.write(`${LIVING}-40001`, `\ufeff${JSON.stringify(said)}`);
  const [editor] = (await place.discover()).candidates;
  expect([editor?.endpoint, editor?.info]).toEqual([
    {kind: 'http', port: 40_001},
    {name: 'x'.repeat(80), displayName: 'y'.repeat(80)},
  ]);
  await place.write(`${LIVING}-40001`, {
    port: undefined,
    ideInfo: {displayName: 7},
    stdio: {command: 'companion', args: ['a', 1, null, 'b']},
  });
  const [other] = (await place.discover()).candidates;
  expect([other?.endpoint, other?.info]).toEqual([
    {kind: 'stdio', command: 'companion', args: ['a', 'b']},
    {name: 'unknown', displayName: 'The editor'},
  ]);
});

test('names that are no process, or of another form, are passed by', async () => {
  await using place = await openDiscoveryPlace();
  for (const name of [
    '0-40001',
    '99999999999-40001',
    `${LIVING}-`,
    `-${LIVING}-1`,
    `${LIVING}-40001.json.tmp`,
    `${LIVING} -40001`,
    'x',
  ])
    await place.write(name);
  await writeFile(join(place.folder, 'x.json'), '{}');
  expect(await place.discover()).toMatchObject({candidates: [], others: [], unfit: []});
});

test(
  'the file of an editor that has ended is passed by, unless this terminal names its port or it is of another ' +
    'machine',
  async () => {
    await using place = await openDiscoveryPlace();
    await place.write(`${DEAD}-40001`);
    await place.write(`${DEAD}-40002`, {machine: 'another'});
    const found = await place.discover();
    expect(found.candidates.map(({endpoint, isAlive}) => [endpoint.port, isAlive])).toEqual([[40_002, false]]);
    expect(await unfitOf(place)).toEqual({[`${DEAD}-40001`]: `its editor, process ${DEAD}, has ended`});
    expect(portsOf(await place.discover({GEMINI_CLI_IDE_SERVER_PORT: '40001'}))).toEqual([40_001, 40_002]);
  },
);

test('a link, a folder and a pipe in the place of a file are not followed, opened or waited for', async () => {
  await using place = await openDiscoveryPlace();
  const at = (port: number): string => join(place.folder, `gemini-ide-server-${LIVING}-${port}.json`);
  const real = join(place.temporary, 'real.json');
  await rename(await place.write(`${LIVING}-40001`), real);
  await symlink(real, at(40_001));
  await symlink(join(place.temporary, 'nowhere'), at(40_002));
  await mkdir(at(40_003));
  if (isPosix) execFileSync('mkfifo', [at(40_004)]);
  expect(await unfitOf(place)).toEqual({
    [`${LIVING}-40001`]: 'it is a link',
    [`${LIVING}-40002`]: 'it is a link',
    [`${LIVING}-40003`]: 'it is not a regular file',
    ...(isPosix ? {[`${LIVING}-40004`]: 'it is not a regular file'} : {}),
  });
});

test('a huge file is not read', async () => {
  await using place = await openDiscoveryPlace();
  await truncate(await place.write(`${LIVING}-40001`), 8 * 2 ** 30);
  expect(await unfitOf(place)).toEqual({[`${LIVING}-40001`]: 'it has 8589934592 bytes, too many for such a file'});
});

test('a file of another user is ignored', async () => {
  await using place = await openDiscoveryPlace();
  const file = await place.write(`${ABOVE}-40001`);
  if (!isRoot) return;
  await chown(file, STRANGER, STRANGER);
  expect(await unfitOf(place)).toEqual({[`${ABOVE}-40001`]: 'it belongs to another user (65534)'});
  expect(await place.discover()).toMatchObject({candidates: [], fault: {reason: 'discovery-file-unfit'}});
});

test('a file that others may write is not believed, for it may name a command', async () => {
  await using place = await openDiscoveryPlace();
  const file = await place.write(`${LIVING}-40001`, {port: undefined, stdio: {command: 'sh', args: ['-c', 'true']}});
  if (!isPosix) return;
  await chmod(file, 0o602);
  expect(await unfitOf(place)).toEqual({[`${LIVING}-40001`]: 'it is writable by everyone (mode 0602)'});
  await chmod(file, 0o644);
  expect((await place.discover()).candidates.map(({endpoint}) => endpoint.command)).toEqual(['sh']);
  if (!isRoot) return;
  await chown(file, 0, STRANGER);
  await chmod(file, 0o660);
  expect(await unfitOf(place)).toEqual({[`${LIVING}-40001`]: 'it is writable by its group (65534) (mode 0660)'});
});

test('a folder that cannot be read is reported as such, not as one without files', async () => {
  await using place = await openDiscoveryPlace();
  const {folder, temporary, project} = place;
  const faultFor = (message: string): object => ({
    reason: 'discovery-file-unfit',
    message: `Cannot use the folder of discovery files, ${folder}: ${message}.`,
    hint: expect.stringContaining('restart the editor'),
  });
  await rm(folder, {recursive: true});
  await writeFile(folder, '');
  expect(await place.discover({TERM_PROGRAM: 'Zed'})).toMatchObject({
    candidates: [],
    unfit: [{file: folder, message: 'a file is where a folder is expected'}],
    fault: faultFor('a file is where a folder is expected'),
  });
  if (!isPosix) return;
  await rm(folder);
  await mkdir(folder, {mode: 0o300});
  const [program, ...words] = nodeUnderModes();
  const urls = ['discover-editors.js', 'read-ancestors.js'].map(
    (name) => pathToFileURL(join(pluginRoot('ide'), 'dist', 'discovery', name)).href,
  );
  const said = execFileSync(
    program,
    [...words, join(checkout, 'test', 'fixtures', 'processes', 'print-discovery.mjs'), ...urls],
    {cwd: project, env: {PATH: process.env['PATH'], TMPDIR: temporary, TERM_PROGRAM: 'Zed'}, encoding: 'utf8'},
  );
  expect((JSON.parse(said) as {found: object}).found).toMatchObject({
    candidates: [],
    fault: faultFor('it cannot be read (permission denied)'),
  });
});

test('a file that names a port and a command is tried by its port, then by its command, before any other', async () => {
  await using place = await openDiscoveryPlace();
  await place.write(`${ABOVE}-40001`, {stdio: {command: 'companion', args: ['--stdio']}});
  await place.write(`${LIVING}-40002`);
  const {candidates} = await place.discover();
  expect(candidates.map(({pid, isAncestor, endpoint}) => [pid, isAncestor, endpoint])).toEqual([
    [ABOVE, true, {kind: 'http', port: 40_001, token: `token-${ABOVE}-40001`}],
    [ABOVE, true, {kind: 'stdio', command: 'companion', args: ['--stdio']}],
    [LIVING, false, {kind: 'http', port: 40_002, token: `token-${LIVING}-40002`}],
  ]);
});

test("in a folder where others may rename files, one of one's own proves nothing", async () => {
  await using place = await openDiscoveryPlace();
  const {folder, temporary} = place;
  await place.write(`${LIVING}-40001`);
  if (!isPosix) return;
  const said = async (): Promise<string | undefined> => (await unfitOf(place))[`${LIVING}-40001`];
  for (const one of [folder, join(temporary, 'gemini')]) {
    await chmod(one, 0o777);
    expect(await said()).toBe(`${one} is writable by everyone`);
    await chmod(one, 0o1777);
    expect(await said()).toBeUndefined();
    await chmod(one, 0o700);
    if (!isRoot) continue;
    // Where everybody has a group of their own, with their number, a usual umask leaves it writable for that group.
    await chmod(one, 0o775);
    expect(await said()).toBeUndefined();
    await chown(one, 0, STRANGER);
    expect(await said()).toBe(`${one} is writable by its group (65534)`);
    await chmod(one, 0o1775);
    expect(await said()).toBeUndefined();
    await chown(one, STRANGER, STRANGER);
    expect(await said()).toBe(`${one} belongs to another user (65534)`);
    await chown(one, 0, 0);
  }
  await rename(folder, join(temporary, 'moved'));
  await symlink(join(temporary, 'moved'), folder);
  expect(await said()).toBe(`${folder} is a link`);
});

test(
  'among 5,000 files of editors that have ended, the one that lives is found, and so is the one of this terminal ' +
    'among 5,000 that live',
  async () => {
    await using place = await openDiscoveryPlace();
    const one = await place.write(`${LIVING}-40001`);
    // Every one is a name of the same file, for what counts is how many there are.
    const fill = async (pid: (index: number) => number): Promise<void> => {
      for (let index = 0; index < 5000; index += 1)
        await link(one, join(place.folder, `gemini-ide-server-${pid(index)}-${10_000 + index}.json`));
    };
    await fill((index) => 2 ** 30 + index);
    const {candidates, unfit} = await place.discover();
    expect([candidates.map(({pid}) => pid), unfit.length]).toEqual([[LIVING], 199]);
    await rm(place.folder, {recursive: true});
    await mkdir(place.folder, {mode: 0o700});
    await writeFile(one, JSON.stringify({port: 40_001, workspacePath: place.project}));
    await fill(() => LIVING);
    await place.write(`${ABOVE}-40002`);
    const found = await place.discover();
    expect([found.candidates.length, portsOf(found)[0]]).toEqual([200, 40_002]);
  },
);

test('files that come and go while they are looked at are found or not, and nothing fails', async () => {
  await using place = await openDiscoveryPlace();
  let isOver = false;
  const companions = (async () => {
    while (!isOver) {
      const file = await place.write(`${LIVING}-40001`);
      await rename(file, `${file}.gone`);
      await rm(`${file}.gone`);
    }
  })();
  for (let round = 0; round < 300; round += 1) {
    const {unfit, others} = await place.discover();
    expect([unfit.filter(({message}) => message !== 'it is empty' && message !== 'it is not JSON'), others]).toEqual([
      [],
      [],
    ]);
  }
  isOver = true;
  await companions;
});
