import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {startKit} from './companion-kit.js';
import {freePort, serve, serveSilence, startOddEditor, startStranger} from './discovery-editors.js';
import {openDiscoveryPlace, type DiscoveryPlace} from './discovery-place.js';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly reason?: string;
  readonly hint?: string;
}

interface Diagnosis {
  readonly checks: readonly Check[];
  readonly status: {readonly state: string; readonly editor?: object; readonly fault?: {readonly reason: string}};
}

/** The program is a child of this process, which therefore is the editor of its terminal. */
const EDITOR = process.pid;
const STEPS = ['discovery', 'folders', 'port', 'token', 'protocol', 'companion', 'tools', 'ping'];

interface Wish {
  readonly variables?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
}

async function run(
  place: DiscoveryPlace,
  words: readonly string[],
  {variables = {}, enabled = true}: Wish = {},
): Promise<RunResult> {
  const home = join(place.temporary, 'home');
  await mkdir(join(home, '.gemini'), {recursive: true});
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({ide: {enabled}}));
  return runGemini(['ide', 'doctor', ...words], {
    cwd: place.project,
    home,
    variables: {TMPDIR: place.temporary, TEMP: place.temporary, TMP: place.temporary, ...variables},
  });
}

async function diagnose(
  place: DiscoveryPlace,
  options: Wish = {},
): Promise<Diagnosis & {readonly code: number | null; readonly text: string}> {
  const {code, stdout, stderr} = await run(place, ['--json'], options);
  expect(stderr).toBe('');
  expect(stdout).not.toMatch(/token-\d|"token"\s*:/);
  return {...(JSON.parse(stdout) as Diagnosis), code, text: stdout};
}

/** The step that failed, with what was said of it, and how the steps stand. */
function failureOf({checks, code}: Diagnosis & {readonly code: number | null}): object {
  const failed = checks.filter(({status}) => status === 'failed');
  for (const {hint} of failed) expect(hint).toMatch(/\w+\W*\w.*[.]$/);
  return {failed: failed.map(({name, reason, detail}) => [name, reason, detail]), code};
}

const statusOf = (checks: readonly Check[], name: string): string | undefined =>
  checks.find((one) => one.name === name)?.status;

describe('each reason, for real', () => {
  test('no-editor', async () => {
    await using place = await openDiscoveryPlace();
    const diagnosis = await diagnose(place);
    expect(failureOf(diagnosis)).toEqual({
      failed: [['discovery', 'no-editor', expect.stringContaining('No editor was found')]],
      code: 1,
    });
    expect(diagnosis.checks.filter(({name}) => STEPS.includes(name)).map(({name, status}) => [name, status])).toEqual(
      STEPS.map((name, index) => [name, index === 0 ? 'failed' : 'skipped']),
    );
    expect(diagnosis.status).toMatchObject({state: 'disconnected', fault: {reason: 'no-editor'}});
  });

  test('no-discovery-file', async () => {
    await using place = await openDiscoveryPlace();
    expect(failureOf(await diagnose(place, {variables: {TERM_PROGRAM: 'Zed'}}))).toEqual({
      failed: [
        [
          'discovery',
          'no-discovery-file',
          expect.stringContaining(`Zed, but no companion runs in it: ${place.folder}`),
        ],
      ],
      code: 1,
    });
  });

  test('discovery-file-unfit', async () => {
    await using place = await openDiscoveryPlace();
    const file = await place.write(`${EDITOR}-40001`, '{"authToken": "token-1');
    const diagnosis = await diagnose(place);
    expect(failureOf(diagnosis)).toEqual({
      failed: [['discovery', 'discovery-file-unfit', `Cannot use the discovery file ${file}: it is not JSON.`]],
      code: 1,
    });
    expect(diagnosis.checks.find(({name}) => name.startsWith('file'))).toMatchObject({
      name: `file gemini-ide-server-${EDITOR}-40001.json`,
      status: 'warning',
      detail: 'Cannot use it: it is not JSON.',
      reason: 'discovery-file-unfit',
    });
  });

  test('not-an-ancestor', async () => {
    await using place = await openDiscoveryPlace();
    await using stranger = await startStranger();
    const other = join(place.temporary, 'other');
    await place.write(`${stranger.pid}-40001`, {workspacePath: other});
    const diagnosis = await diagnose(place);
    expect(failureOf(diagnosis)).toEqual({
      failed: [
        [
          'folders',
          'not-an-ancestor',
          expect.stringContaining(
            `did not open this terminal, and it has other folders open (${other}) than ${place.project}`,
          ),
        ],
      ],
      code: 1,
    });
    expect(statusOf(diagnosis.checks, `file gemini-ide-server-${stranger.pid}-40001.json`)).toBe('skipped');
  });

  test('no-roots', async () => {
    await using place = await openDiscoveryPlace();
    await place.write(`${EDITOR}-40001`, {workspacePath: ''});
    expect(failureOf(await diagnose(place))).toEqual({
      failed: [['folders', 'no-roots', `Editor ${EDITOR}-40001 has no folder open.`]],
      code: 1,
    });
  });

  test('roots-disjoint', async () => {
    await using place = await openDiscoveryPlace();
    const other = join(place.temporary, 'other');
    await place.write(`${EDITOR}-40001`, {workspacePath: other});
    expect(failureOf(await diagnose(place))).toEqual({
      failed: [
        [
          'folders',
          'roots-disjoint',
          `Editor ${EDITOR}-40001 does not have ${place.project} open, but other folders (${other}).`,
        ],
      ],
      code: 1,
    });
  });

  test('port-refused', async () => {
    await using place = await openDiscoveryPlace();
    const port = await freePort();
    await place.write(`${EDITOR}-${port}`);
    const diagnosis = await diagnose(place);
    expect(failureOf(diagnosis)).toEqual({
      failed: [['port', 'port-refused', expect.stringContaining(`nothing listens at port ${port}`)]],
      code: 1,
    });
    expect(['discovery', 'folders', 'token'].map((name) => statusOf(diagnosis.checks, name))).toEqual([
      'passed',
      'passed',
      'skipped',
    ]);
  });

  test('port-refused, of a companion that is a command', async () => {
    await using place = await openDiscoveryPlace();
    await place.write(`${EDITOR}-1`, {
      port: undefined,
      stdio: {command: join(place.temporary, 'gone'), args: ['a-secret']},
    });
    const {text, ...diagnosis} = await diagnose(place);
    expect(failureOf(diagnosis)).toEqual({
      failed: [['port', 'port-refused', expect.stringContaining(join(place.temporary, 'gone'))]],
      code: 1,
    });
    expect(text).not.toContain('a-secret');
  });

  test('token-rejected', async () => {
    await using place = await openDiscoveryPlace();
    await using companion = await startKit({temporary: join(place.temporary, 'other'), roots: [place.project]});
    await place.write(`${EDITOR}-${companion.port}`);
    const diagnosis = await diagnose(place);
    expect(failureOf(diagnosis)).toEqual({
      failed: [['token', 'token-rejected', expect.stringContaining('rejects the token')]],
      code: 1,
    });
    expect(['port', 'protocol'].map((name) => statusOf(diagnosis.checks, name))).toEqual(['passed', 'skipped']);
  });

  test('no-answer: a web page, a server that says nothing, one that breaks off', async () => {
    await using place = await openDiscoveryPlace();
    await using page = await serve((_, response) => response.end('<h1>Hello</h1>'));
    await using failing = await serve((_, response) => response.writeHead(500).end());
    await using silence = await serveSilence();
    await using breaking = await startOddEditor({breaksAt: 'tools/list'});
    for (const {port} of [page, failing, silence, breaking]) {
      await place.write(`${EDITOR}-1`, {port});
      expect(failureOf(await diagnose(place))).toEqual({
        failed: [['protocol', 'no-answer', expect.stringContaining(`at port ${port}: `)]],
        code: 1,
      });
    }
  }, 30_000);

  test('version-skew: another protocol, and no server of the protocol at all', async () => {
    await using place = await openDiscoveryPlace();
    await using old = await startOddEditor({version: '1999-01-01'});
    await using none = await serve((_, response) => response.writeHead(404).end());
    for (const {port} of [old, none]) {
      await place.write(`${EDITOR}-1`, {port});
      expect(failureOf(await diagnose(place))).toEqual({
        failed: [
          ['protocol', 'version-skew', expect.stringContaining('speaks an unsupported version of the protocol')],
        ],
        code: 1,
      });
    }
  });

  test('tools-missing is a warning: it is connected, and changes are confirmed in the terminal', async () => {
    await using place = await openDiscoveryPlace();
    await using editor = await startOddEditor({tools: ['openDiff']});
    await place.write(`${EDITOR}-${editor.port}`);
    const diagnosis = await diagnose(place);
    expect(failureOf(diagnosis)).toEqual({failed: [], code: 0});
    expect(diagnosis.checks.find(({name}) => name === 'tools')).toEqual({
      name: 'tools',
      status: 'warning',
      reason: 'tools-missing',
      detail: `The companion of Editor ${EDITOR}-${editor.port} cannot show changes: it has no closeDiff.`,
      hint: expect.stringContaining('gemini ide install'),
    });
    expect(diagnosis.status).toMatchObject({state: 'connected', fault: {reason: 'tools-missing'}});
  });

  test('lost: it was there, and breaks off when it is asked whether it is', async () => {
    await using place = await openDiscoveryPlace();
    await using editor = await startOddEditor({breaksAt: 'ping'});
    await place.write(`${EDITOR}-${editor.port}`);
    const diagnosis = await diagnose(place);
    expect(failureOf(diagnosis)).toEqual({
      failed: [['ping', 'lost', expect.stringContaining(`The connection to Editor ${EDITOR}-${editor.port} broke`)]],
      code: 1,
    });
  });

  test('disabled is a warning, and all the rest is looked at', async () => {
    await using place = await openDiscoveryPlace();
    await using companion = await startKit({temporary: place.temporary, roots: [place.project], pid: EDITOR});
    const {checks, code, status} = await diagnose(place, {enabled: false});
    expect([code, status.state, checks[0]]).toEqual([
      0,
      'connected',
      {
        name: 'setting',
        status: 'warning',
        reason: 'disabled',
        detail: expect.stringContaining('ide.enabled'),
        hint: 'To enable it, run gemini ide enable.',
      },
    ]);
    expect(companion.port).toBeGreaterThan(0);
  });
});

test('with a companion every step is reported, and a program gets each without the token', async () => {
  await using place = await openDiscoveryPlace();
  await using companion = await startKit({temporary: place.temporary, roots: [place.project], pid: EDITOR});
  const {port, token} = companion;
  const {text, checks, status, code} = await diagnose(place, {
    variables: {...companion.variables(), TERM_PROGRAM: 'sublime'},
  });
  const passed = (name: string, detail: unknown): object => ({name, status: 'passed', detail});
  const of =
    `Memory, process ${EDITOR}, of this terminal, port ${port}: it has exactly this folder ` +
    `open (${place.project}).`;
  expect(checks).toEqual([
    passed('setting', 'ide.enabled is on.'),
    passed('terminal', 'It belongs to Sublime Text.'),
    passed(
      'variables',
      `GEMINI_CLI_IDE_SERVER_PORT, GEMINI_CLI_IDE_WORKSPACE_PATH, GEMINI_CLI_IDE_AUTH_TOKEN are set (port ${port}).`,
    ),
    passed('processes', expect.stringContaining(` ${EDITOR} < `)),
    passed(`file gemini-ide-server-${EDITOR}-${port}.json`, of),
    passed('discovery', expect.stringContaining('Memory is named by')),
    passed('folders', of),
    passed(
      'port',
      expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:${port} accepted a connection within [\\d.]+ ms\\.$`)),
    ),
    passed('token', 'It is accepted.'),
    passed('protocol', 'It speaks the protocol.'),
    passed('companion', 'It is memory-companion 1.0.0.'),
    passed('tools', expect.stringContaining('openDiff and closeDiff')),
    passed('ping', expect.stringMatching(/^It answered within [\d.]+ ms\.$/)),
  ]);
  expect(status).toMatchObject({
    state: 'connected',
    canDiff: true,
    server: 'memory-companion 1.0.0',
    editor: {endpoint: {kind: 'http', port}},
    pingMs: expect.any(Number),
  });
  expect([code, text.includes(token)]).toEqual([0, false]);
});

test('a person sees a line for each step with its reason code and the next step, and what was not reached in one line', async () => {
  await using place = await openDiscoveryPlace();
  const port = await freePort();
  await place.write(`${EDITOR}-${port}`);
  const {code, stdout, stderr} = await run(place, [], {variables: {GEMINI_CLI_IDE_SERVER_PORT: 'abc'}});
  const lines = stdout.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '✓ setting: ide.enabled is on.',
      '! variables: GEMINI_CLI_IDE_SERVER_PORT is "abc", which is not a port.',
      '  Next: Open a new terminal in the editor.',
      expect.stringMatching(/^✗ port: Cannot reach .*: nothing listens at port \d+.* \[port-refused\]$/),
      '- not checked: token, protocol, companion, tools, ping',
      'Not connected: port-refused.',
    ]),
  );
  expect([code, stderr]).toEqual([1, '']);
});

test('when the best editor cannot be reached and another can, it is that other one that is looked at', async () => {
  await using place = await openDiscoveryPlace();
  await using companion = await startKit({temporary: place.temporary, roots: [place.project], pid: EDITOR});
  const port = await freePort();
  await place.write(`${EDITOR}-${port}`);
  const diagnosis = await diagnose(place, {variables: {GEMINI_CLI_IDE_SERVER_PORT: String(port)}});
  expect(failureOf(diagnosis)).toEqual({failed: [], code: 0});
  expect(diagnosis.status.editor).toMatchObject({endpoint: {kind: 'http', port: companion.port}});
});

test('the guide says of every reason what it means', async () => {
  const contract = await readFile(join(checkout, 'plugins', 'ide', 'src', 'contract.ts'), 'utf8');
  const reasons = [
    ...(/export type IdeReason =(.*?);\n\n/s.exec(contract)?.[1]?.matchAll(/^ {2}\| '([\w-]+)'/gm) ?? []),
  ].map(([, reason]) => reason);
  const guide = await readFile(join(checkout, 'docs', 'connect-your-editor.md'), 'utf8');
  const rows = [
    ...(guide.split('## What each reason means')[1] ?? '').matchAll(/^\| `([\w-]+)` \| .+ \| .+ \|$/gm),
  ].map(([, reason]) => reason);
  expect([rows.length, rows]).toEqual([13, reasons]);
});
