import {execFile} from 'node:child_process';
import {mkdir, rm, symlink} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {spawnKit} from './companion-kit.js';
import {ABOVE, DEAD, LIVING, openDiscoveryPlace, portsOf, type Discovery} from './discovery-place.js';

const PORT = 'GEMINI_CLI_IDE_SERVER_PORT';
const PATHS = 'GEMINI_CLI_IDE_WORKSPACE_PATH';
const TOKEN = 'GEMINI_CLI_IDE_AUTH_TOKEN';
const isPosix = process.platform !== 'win32';

interface Inside {
  readonly pid: number;
  readonly inside: {
    readonly chain: readonly {readonly pid: number; readonly name: string}[];
    readonly idePid: number;
    readonly found: Discovery;
  };
}

/** Runs a line in the shell of a made editor; `probe` in it stands for the program that looks around. */
async function lookInside(
  line: string,
  {temporary, cwd, said}: {temporary: string; cwd: string; said: object},
): Promise<Inside> {
  const urls = ['discover-editors.js', 'read-ancestors.js'].map(
    (name) => pathToFileURL(join(pluginRoot('ide'), 'dist', 'discovery', name)).href,
  );
  const fixture = (name: string): string => join(checkout, 'test', 'fixtures', 'processes', name);
  const probe = [process.execPath, fixture('print-discovery.mjs'), ...urls].map((word) => `'${word}'`).join(' ');
  const env = {PATH: process.env['PATH'], TMPDIR: temporary, PROBE: probe};
  const {stdout} = await promisify(execFile)(
    process.execPath,
    [fixture('open-terminal.mjs'), line, JSON.stringify(said)],
    {cwd, env},
  );
  return JSON.parse(stdout) as Inside;
}

describe('a tree of processes built for real', () => {
  const lines: Readonly<Record<string, {readonly line: string; readonly names: readonly string[]}>> = isPosix
    ? {
        'one shell': {line: 'eval "$PROBE"; :', names: ['node', 'sh', 'node']},
        'shells in shells': {
          line: `bash -c 'sh -c "eval \\"\\$PROBE\\"; :"; :'; :`,
          names: ['node', 'sh', 'bash', 'sh', 'node'],
        },
        'a program between shells': {
          line: `env X=1 bash -c 'eval "$PROBE"; :'; :`,
          names: ['node', 'bash', 'sh', 'node'],
        },
      }
    : {};

  test.each(Object.entries(lines))(
    '%s: the editor is found among those above, however many shells lie between',
    async (_, {line, names}) => {
      await using folder = await makeFolder();
      const {
        pid,
        inside: {chain, idePid, found},
      } = await lookInside(line, {
        temporary: folder.path,
        cwd: folder.path,
        said: {port: 40_001, workspacePath: folder.path, authToken: 't', ideInfo: {name: 'made', displayName: 'Made'}},
      });
      expect(chain.slice(0, names.length).map(({name}) => name)).toEqual(names);
      const index = chain.findIndex((one) => one.pid === pid);
      expect(index).toBe(names.length - 1);
      // The process above the parent of the nearest shell.
      expect(idePid).toBe(chain[3]?.pid);
      expect(found).toEqual({
        candidates: [
          {
            source: 'file',
            file: join(folder.path, 'gemini', 'ide', `gemini-ide-server-${pid}-40001.json`),
            pid,
            isAncestor: true,
            isAlive: true,
            roots: [folder.path],
            overlap: 'same',
            info: {name: 'made', displayName: 'Made'},
            endpoint: {kind: 'http', port: 40_001, token: 't'},
          },
        ],
        others: [],
        unfit: [],
      });
    },
  );
});

describe('which editor comes first', () => {
  test(
    'two windows on one workspace: the one that opened this terminal, by the port it said; without it the one ' +
      'written last',
    async () => {
      await using place = await openDiscoveryPlace();
      await using one = await spawnKit(place.temporary, {options: {roots: [place.project], pid: ABOVE}});
      await using other = await spawnKit(place.temporary, {options: {roots: [place.project], pid: ABOVE}});
      for (const {port} of [one, other]) expect(portsOf(await place.discover({[PORT]: String(port)}))[0]).toBe(port);
      expect(portsOf(await place.discover())).toEqual([other.port, one.port]);
    },
  );

  test('the editor above this terminal goes before others, and so does the one that GEMINI_CLI_IDE_PID names', async () => {
    await using place = await openDiscoveryPlace();
    await place.write(`${ABOVE}-40001`, {workspacePath: join(place.project, 'inner')});
    await place.write(`${LIVING}-40002`);
    expect(portsOf(await place.discover())).toEqual([40_001, 40_002]);
    const named = await place.discover({GEMINI_CLI_IDE_PID: String(LIVING)});
    expect(named.candidates.map(({pid, isAncestor}) => [pid, isAncestor])).toEqual([
      [LIVING, true],
      [ABOVE, true],
    ]);
  });

  test('of several windows of one process the one that holds this folder most closely', async () => {
    await using place = await openDiscoveryPlace();
    const {project} = place;
    const roots = {
      40_001: [project],
      40_002: [join(project, 'inner')],
      40_003: [join(project, 'inner', 'most', 'below')],
      40_004: [join(place.temporary, 'other'), join(project, 'inner', 'most')],
    };
    await mkdir(join(project, 'inner', 'most', 'below'));
    for (const [port, paths] of Object.entries(roots))
      await place.write(`${LIVING}-${port}`, {workspacePath: paths.join(delimiter)});
    const {candidates} = await place.discover({}, join(project, 'inner', 'most'));
    expect(candidates.map(({endpoint, overlap}) => [endpoint.port, overlap])).toEqual([
      [40_004, 'same'],
      [40_002, 'inside-root'],
      [40_001, 'inside-root'],
      [40_003, 'holds-root'],
    ]);
  });

  test('the older form goes before others of this terminal, and needs no token', async () => {
    await using place = await openDiscoveryPlace();
    await place.write(`${ABOVE}-40001`);
    const file = await place.write(String(ABOVE), {port: '40002', authToken: undefined});
    const {candidates} = await place.discover({GEMINI_CLI_IDE_PID: String(ABOVE), [TOKEN]: 'from-the-terminal'});
    expect(candidates.map(({source, endpoint}) => [source, endpoint])).toEqual([
      ['older-file', {kind: 'http', port: 40_002, token: 'from-the-terminal'}],
      ['file', {kind: 'http', port: 40_001, token: `token-${ABOVE}-40001`}],
    ]);
    expect(candidates[0]?.file).toBe(file);
  });

  test('a file that does not say which folders are open counts in terminals of its editor only', async () => {
    await using place = await openDiscoveryPlace();
    await place.write(`${LIVING}-40001`, {workspacePath: undefined});
    expect(await place.discover()).toMatchObject({candidates: [], fault: {reason: 'not-an-ancestor'}});
    expect(portsOf(await place.discover({[PORT]: '40001'}))).toEqual([40_001]);
  });
});

describe('the variables of a terminal', () => {
  test('name a companion that has no file, with the token they hold', async () => {
    await using place = await openDiscoveryPlace();
    await rm(place.folder, {recursive: true});
    expect(
      await place.discover({[PORT]: '40001', [PATHS]: place.project, [TOKEN]: 'secret', TERM_PROGRAM: 'sublime'}),
    ).toEqual({
      candidates: [
        {
          source: 'variables',
          isAncestor: true,
          isAlive: true,
          roots: [place.project],
          overlap: 'same',
          info: {name: 'sublimetext', displayName: 'Sublime Text'},
          endpoint: {kind: 'http', port: 40_001, token: 'secret'},
        },
      ],
      others: [],
      unfit: [],
      detected: {name: 'sublimetext', displayName: 'Sublime Text'},
    });
  });

  test('name a program to talk with, when they name no port', async () => {
    await using place = await openDiscoveryPlace();
    const stdio = {
      GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: 'companion',
      GEMINI_CLI_IDE_SERVER_STDIO_ARGS: '["--stdio", 7, "a b"]',
    };
    const endpointOf = async (variables: Readonly<Record<string, string>>): Promise<unknown> =>
      (await place.discover(variables)).candidates[0]?.endpoint;
    expect(await endpointOf(stdio)).toEqual({kind: 'stdio', command: 'companion', args: ['--stdio', 'a b']});
    expect(await endpointOf({...stdio, GEMINI_CLI_IDE_SERVER_STDIO_ARGS: 'no list'})).toEqual({
      kind: 'stdio',
      command: 'companion',
      args: [],
    });
    expect(await endpointOf({...stdio, [PORT]: '40001'})).toEqual({kind: 'http', port: 40_001});
  });

  test.each(['', '0', '65536', '-1', '4e4', ' 80', 'abc', '123456'])('a port %j names no editor', async (port) => {
    await using place = await openDiscoveryPlace();
    expect(await place.discover({[PORT]: port, [PATHS]: place.project})).toMatchObject({
      candidates: [],
      fault: {reason: 'no-editor'},
    });
  });

  test('a token that no header can hold is not sent', async () => {
    await using place = await openDiscoveryPlace();
    const {candidates} = await place.discover({[PORT]: '40001', [PATHS]: place.project, [TOKEN]: 'a\nb'});
    expect(candidates[0]?.endpoint).toEqual({kind: 'http', port: 40_001});
  });

  test("stand beside a file of the same port when its editor has ended, for its token may be another one's", async () => {
    await using place = await openDiscoveryPlace();
    await place.write(`${DEAD}-40001`);
    const own = {[PORT]: '40001', [PATHS]: place.project};
    const found = await place.discover({...own, [TOKEN]: 'newer'});
    expect(found.candidates.map(({source, isAlive, endpoint: {token}}) => [source, isAlive, token])).toEqual([
      ['variables', true, 'newer'],
      ['file', false, `token-${DEAD}-40001`],
    ]);
    const same = await place.discover({...own, [TOKEN]: `token-${DEAD}-40001`});
    expect(same.candidates.map(({source}) => source)).toEqual(['file']);
  });
});

describe('how folders lie to each other', () => {
  test('links are what they lead to, and what cannot be reached stays as it is written', async () => {
    await using place = await openDiscoveryPlace();
    const link = join(place.temporary, 'link');
    await symlink(place.project, link, 'junction');
    await place.write(`${LIVING}-40001`, {workspacePath: [link, join(place.temporary, 'gone')].join(delimiter)});
    const [editor] = (await place.discover({}, join(link, 'inner'))).candidates;
    expect([editor?.overlap, editor?.roots]).toEqual(['inside-root', [place.project, join(place.temporary, 'gone')]]);
  });

  test("a path that is not absolute is not one of this program's own folder", async () => {
    await using place = await openDiscoveryPlace();
    await place.write(`${LIVING}-40001`, {workspacePath: ['.', 'plugins', ''].join(delimiter)});
    expect(await place.discover({}, process.cwd())).toMatchObject({candidates: [], fault: {reason: 'no-roots'}});
  });

  test('names that only begin alike lie apart', async () => {
    await using place = await openDiscoveryPlace();
    await mkdir(`${place.project}-2`);
    await place.write(`${ABOVE}-40001`);
    expect(await place.discover({}, `${place.project}-2`)).toMatchObject({
      candidates: [],
      fault: {reason: 'roots-disjoint'},
    });
  });
});

describe('why there is none', () => {
  test('each reason names what it is about, and the next step', async () => {
    await using place = await openDiscoveryPlace();
    const {project, temporary} = place;
    const other = join(temporary, 'other');
    expect((await place.discover()).fault).toEqual({
      reason: 'no-editor',
      message: expect.stringContaining('No editor was found'),
      hint: expect.stringContaining('gemini ide install'),
    });
    expect((await place.discover({TERM_PROGRAM: 'Zed'})).fault).toEqual({
      reason: 'no-discovery-file',
      message: expect.stringContaining(`belongs to Zed, but no companion runs in it: ${place.folder}`),
      hint: expect.stringContaining('gemini ide install'),
    });
    const foreign = await place.write(`${LIVING}-40001`, {workspacePath: other});
    expect((await place.discover()).fault).toEqual({
      reason: 'not-an-ancestor',
      message: expect.stringContaining(`other folders open (${other}) than ${project}`),
      hint: expect.stringContaining('Start gemini in a terminal of the editor'),
    });
    await rm(foreign);
    const own = await place.write(`${ABOVE}-40001`, {workspacePath: other});
    expect((await place.discover()).fault).toEqual({
      reason: 'roots-disjoint',
      message: `Editor ${ABOVE}-40001 does not have ${project} open, but other folders (${other}).`,
      hint: expect.stringContaining('open this one in the editor'),
    });
    await place.write(`${ABOVE}-40001`, {workspacePath: ''});
    expect((await place.discover()).fault).toEqual({
      reason: 'no-roots',
      message: `Editor ${ABOVE}-40001 has no folder open.`,
      hint: 'Open a folder in the editor.',
    });
    await place.write(`${ABOVE}-40001`, '{');
    expect((await place.discover()).fault).toEqual({
      reason: 'discovery-file-unfit',
      message: `Cannot use the discovery file ${own}: it is not JSON.`,
      hint: expect.stringContaining('can remove the file'),
    });
  });

  test('what concerns the editor that this terminal names by its port says more than what concerns others', async () => {
    await using place = await openDiscoveryPlace();
    const other = join(place.temporary, 'other');
    await place.write(`${LIVING}-40002`, {workspacePath: other});
    await place.write(`${LIVING}-40001`, {workspacePath: ''});
    expect((await place.discover({[PORT]: '40001'})).fault).toMatchObject({reason: 'no-roots'});
    expect((await place.discover({[PORT]: '40002'})).fault).toMatchObject({reason: 'roots-disjoint'});
  });
});
