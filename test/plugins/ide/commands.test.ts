import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {openAgentPlace} from '../../helpers/run-agent.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {CTRL_D, GeminiSitting, PROMPT} from '../../helpers/sit-at-gemini.js';
import {startKit} from './companion-kit.js';
import {startOddEditor} from './discovery-editors.js';
import {openDiscoveryPlace, type DiscoveryPlace} from './discovery-place.js';
import {describeStatus} from '#plugins/ide/dist/doctor/describe-status.js';

/** The program is a child of this process, which therefore is the editor of its terminal. */
const EDITOR = process.pid;
const hint = expect.any(String);

interface Wish {
  readonly settings?: object;
  readonly variables?: Readonly<Record<string, string>>;
}

const settingsFile = (place: DiscoveryPlace): string => join(place.temporary, 'home', '.gemini', 'settings.json');
const on = {settings: {ide: {enabled: true}}};

async function run(
  place: DiscoveryPlace,
  words: readonly string[],
  {settings, variables = {}}: Wish = {},
): Promise<RunResult> {
  const home = join(place.temporary, 'home');
  await mkdir(join(home, '.gemini'), {recursive: true});
  if (settings) await writeFile(settingsFile(place), JSON.stringify(settings));
  return runGemini(['ide', ...words], {
    cwd: place.project,
    home,
    variables: {TMPDIR: place.temporary, TEMP: place.temporary, TMP: place.temporary, ...variables},
  });
}

async function ask(place: DiscoveryPlace, words: readonly string[], wish: Wish = {}): Promise<unknown> {
  const {code, stdout, stderr} = await run(place, [...words, '--json'], wish);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe('what an editor says of trust [trust.here]', () => {
  const undecided = {GEMINI_CLI_TRUST_WORKSPACE: ''};
  const settings = {ide: {enabled: true}, security: {folderTrust: {enabled: false}}};

  test.each([true, false])('%s: nothing is said of it when the session ends', async (isTrusted) => {
    await using place = await openDiscoveryPlace();
    await using _companion = await startKit({
      temporary: place.temporary,
      roots: [place.project],
      pid: EDITOR,
      isTrusted,
    });
    expect(await run(place, ['status'], {settings, variables: undecided})).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('session is over'),
    });
  });

  test('counts where trust in the current folder is explained', async () => {
    await using place = await openDiscoveryPlace();
    await using _companion = await startKit({
      temporary: place.temporary,
      roots: [place.project],
      pid: EDITOR,
      isTrusted: false,
    });
    await run(place, ['status'], {settings, variables: undecided});
    const home = join(place.temporary, 'home');
    const explained = await runGemini(['trust', 'explain', '--json'], {
      cwd: place.project,
      home,
      variables: {TMPDIR: place.temporary, ...undecided},
    });
    expect(JSON.parse(explained.stdout)).toMatchObject({
      trusted: false,
      source: 'doubt',
      reason: 'Memory does not trust this folder.',
    });
  });
});

describe('status', () => {
  test('connected: with whom, its folders, what is open, and the same as JSON without the token', async () => {
    await using place = await openDiscoveryPlace();
    await using companion = await startKit({
      temporary: place.temporary,
      roots: [place.project],
      pid: EDITOR,
      isTrusted: true,
    });
    const [first, second] = [join(place.project, 'a.ts'), join(place.project, 'b.ts')];
    for (const one of [first, second]) await writeFile(one, '');
    companion.update({
      openFiles: [
        {path: first, timestamp: 2, isActive: true, cursor: {line: 7, character: 1}, selectedText: 'four'},
        {path: second, timestamp: 1},
      ],
    });
    const {code, stdout, stderr} = await run(place, ['status'], on);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `Connected to Memory (memory-companion 1.0.0).\nFolders     ${place.project}\nOpen files  a.ts (active, ` +
        `line 7, 4 characters selected), b.ts\nTrust       The editor trusts its folders.\nChanges     are shown in ` +
        `the editor.\n`,
    );
    const file = join(place.folder, `gemini-ide-server-${EDITOR}-${companion.port}.json`);
    // `gemini ide` alone is the same.
    for (const words of [['status'], []]) {
      expect(await ask(place, words)).toEqual({
        state: 'connected',
        canDiff: true,
        isTrusted: true,
        server: 'memory-companion 1.0.0',
        openFiles: [
          {path: first, timestamp: 2, isActive: true, cursor: {line: 7, character: 1}, selectedText: 'four'},
          {path: second, timestamp: 1},
        ],
        editor: {
          source: 'file',
          file,
          pid: EDITOR,
          isAncestor: true,
          isAlive: true,
          roots: [place.project],
          overlap: 'same',
          info: {name: 'memory', displayName: 'Memory'},
          endpoint: {kind: 'http', port: companion.port},
        },
      });
    }
  });

  test('connected, with something missing: what, and the next step', async () => {
    await using place = await openDiscoveryPlace();
    await using editor = await startOddEditor({tools: []});
    await place.write(`${EDITOR}-${editor.port}`, {workspacePath: join(place.project, 'inner')});
    const {code, stdout} = await run(place, ['status'], on);
    expect(code).toBe(0);
    expect(stdout).toContain('gemini was started in a folder above them');
    expect(stdout).toContain(
      `Open files  None.\nChanges     are not shown in the editor.\nThe companion of Editor ` +
        `${EDITOR}-${editor.port} cannot show changes: it has no openDiff and closeDiff.\nApprove changes in ` +
        'the terminal.',
    );
  });

  test('with no editor it says so in a sentence with a hint, and that is no failure', async () => {
    await using place = await openDiscoveryPlace();
    expect(await run(place, ['status'], on)).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'Disconnected: No editor was found: this terminal does not belong to one, and no companion is ' +
        'running.\nOpen this folder in your editor and start gemini in its terminal. gemini ide install adds the ' +
        'companion.\n',
    });
    expect(await ask(place, ['status'])).toEqual({
      state: 'disconnected',
      canDiff: false,
      openFiles: [],
      fault: {reason: 'no-editor', message: expect.stringContaining('No editor was found'), hint},
    });
  });

  test('when disabled it does not connect, and names the editors that could be connected', async () => {
    await using place = await openDiscoveryPlace();
    await using companion = await startKit({
      temporary: place.temporary,
      roots: [place.project],
      pid: EDITOR,
      warn: () => undefined,
    });
    const {stdout} = await run(place, ['status']);
    expect(stdout).toBe(
      'Off: The connection to editors is disabled (ide.enabled).\nTo enable it, run gemini ide enable.\nMemory can ' +
        'be connected.\n',
    );
    expect(await ask(place, ['status'])).toEqual({
      state: 'disabled',
      canDiff: false,
      openFiles: [],
      fault: {reason: 'disabled', message: expect.any(String), hint},
      found: [
        expect.objectContaining({
          info: {name: 'memory', displayName: 'Memory'},
          endpoint: {kind: 'http', port: companion.port},
        }),
      ],
    });
  });

  test('what the project says about it does not count', async () => {
    await using place = await openDiscoveryPlace();
    await mkdir(join(place.project, '.gemini'));
    await writeFile(join(place.project, '.gemini', 'settings.json'), JSON.stringify({ide: {enabled: true}}));
    expect(await ask(place, ['status'])).toMatchObject({state: 'disabled'});
  });
});

test(
  'an editor that has not answered is reported as such outside a conversation, and as connecting in a ' +
    'conversation',
  async () => {
    const status = {state: 'connecting', canDiff: false, openFiles: []} as const;
    const plain = (_: string, text: string): string => text;
    expect(describeStatus(status, plain, false)).toEqual([
      'Not connected: the editor did not answer in time.',
      'Run gemini ide doctor to see where it fails. If the editor hangs, restart it.',
    ]);
    expect(describeStatus(status, plain, true)).toEqual([
      'Connecting … It continues in the background; run the command again in a moment.',
    ]);
  },
);

describe('enable and disable', () => {
  test("write the person's setting, where all else stays, and say how it went", async () => {
    await using place = await openDiscoveryPlace();
    await using companion = await startKit({temporary: place.temporary, roots: [place.project], pid: EDITOR});
    const settings = '{\n  // mine\n  "ui": {"theme": "dark"}\n}\n';
    await mkdir(dirname(settingsFile(place)), {recursive: true});
    await writeFile(settingsFile(place), settings);
    const enabled = await run(place, ['enable']);
    expect(enabled).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Conversations connect to your editor from now on\.\nConnected to Memory/),
    });
    const text = await readFile(settingsFile(place), 'utf8');
    expect([text.includes('// mine'), text.replace(/\s/g, '').includes('"enabled":true')]).toEqual([true, true]);
    expect(await ask(place, ['enable'])).toMatchObject({
      enabled: true,
      path: settingsFile(place),
      state: 'connected',
      editor: {endpoint: {kind: 'http', port: companion.port}},
    });
    expect(await run(place, ['disable'])).toEqual({
      code: 0,
      stderr: '',
      stdout: 'Conversations no longer connect to an editor. To enable it again, run gemini ide enable.\n',
    });
    expect(await ask(place, ['disable'])).toEqual({enabled: false, path: settingsFile(place)});
    expect(await ask(place, ['status'])).toMatchObject({state: 'disabled'});
  });

  test('enabling without an editor is done, and says what is missing', async () => {
    await using place = await openDiscoveryPlace();
    const {code, stdout} = await run(place, ['enable'], {variables: {TERM_PROGRAM: 'Zed'}});
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Conversations connect to your editor from now on\.\nDisconnected: This terminal belongs to Zed, but no companion runs in it/,
      ),
    ]);
  });

  test('a stronger setting is reported', async () => {
    await using place = await openDiscoveryPlace();
    const system = join(place.temporary, 'system.json');
    await writeFile(system, JSON.stringify({ide: {enabled: false}}));
    const variables = {GEMINI_CLI_SYSTEM_SETTINGS_PATH: system};
    const {code, stdout} = await run(place, ['enable'], {variables});
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('a stronger setting disables it. Run gemini settings explain ide.enabled to see which.'),
    ]);
    await writeFile(system, JSON.stringify({ide: {enabled: true}}));
    expect((await run(place, ['disable'], {variables})).stdout).toContain('a stronger setting enables it');
  });
});

test('in a conversation they work on the connection it has', async () => {
  await using place = await openDiscoveryPlace();
  await using companion = await startKit({temporary: place.temporary, roots: [place.temporary], pid: EDITOR});
  await using talk = await openAgentPlace({});
  await companion.setRoots([talk.project]);
  await using sitting = await GeminiSitting.begin(talk, {variables: {TMPDIR: place.temporary}, columns: 200});
  // Looking for what is wrong leaves it as it was.
  await sitting.go(
    [PROMPT, '/ide doctor\r'],
    ['To connect in conversations, run gemini ide enable.', '/ide status\r'],
    ['Off: The connection to editors is disabled', '/ide enable\r'],
  );
  await sitting.go(
    ['Connected to Memory', '/ide\r'],
    ['Connected to Memory', '/ide doctor\r'],
    ['Memory is ready.', '/ide disable\r'],
  );
  await sitting.go(
    ['no longer connect to an editor', '/ide status\r'],
    ['Off: The connection to editors is disabled', CTRL_D],
  );
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
});
