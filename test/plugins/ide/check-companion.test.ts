import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {networkInterfaces} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {rememberingEditor, startKit} from './companion-kit.js';
import {checkCompanion} from '#plugins/ide/dist/companion/check/check-companion.js';
import {launchCompanion} from '#plugins/ide/dist/companion/check/launch-companion.js';

interface Result {
  readonly name: string;
  readonly says: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
}

const fixture = (name: string): string => join(checkout, 'test', 'fixtures', 'companions', name);
const kit = join(pluginRoot('ide'), 'dist', 'companion.js');
const byHand = (fault: string): readonly string[] => [process.execPath, fixture('by-hand.mjs'), fault];

async function check(command: readonly string[], patienceMs = 5_000): Promise<readonly Result[]> {
  const {signal} = new AbortController();
  await using launched = await launchCompanion({
    command,
    directory: checkout,
    variables: process.env,
    patienceMs: 10_000,
    signal,
  });
  return await checkCompanion({...launched, file: launched, signal}, {patienceMs});
}

const namesOf = (results: readonly Result[], wanted: Result['outcome']): readonly string[] =>
  results.filter(({outcome}) => outcome === wanted).map(({name}) => name);
const hasOtherAddress = Object.values(networkInterfaces())
  .flat()
  .some((one) => one && !one.internal && !one.address.startsWith('fe80:'));
const machineSkips = [...(hasOtherAddress ? [] : ['loopback-only'])];

// Mostly these tests wait, so they wait together, those that wait longest first.
test.concurrent('a companion that hangs, or tells nothing, is given up after the time that one check has', async () => {
  const [hung, mute] = await Promise.all([check(byHand('hangs'), 1_000), check(byHand('no-context'), 2_000)]);
  expect(hung.filter(({outcome}) => outcome === 'failed').map(({name, reason}) => [name, reason])).toEqual([
    ['answers', 'It took longer than 1 s.'],
  ]);
  expect(new Set(hung.filter(({outcome}) => outcome === 'skipped').map(({reason}) => reason))).toEqual(
    new Set(['The companion does not answer.']),
  );
  expect(namesOf(mute, 'failed')).toEqual(['sessions-apart', 'context-first', 'context-form']);
});

const contents = ['diff-closes', 'diff-closes-nothing', 'diff-new-file', 'diff-large', 'diff-names'];
const opens = [
  'diff-opens',
  'diff-closes',
  'diff-silent',
  'diff-rejected',
  'diff-new-file',
  'diff-large',
  'diff-names',
];

/** What fails when one thing is spoiled. */
const faults: Readonly<Record<string, readonly string[]>> = {
  'never-ends': ['discovery-removed'],
  'no-token-check': ['token-missing', 'token-wrong', 'token-malformed'],
  'no-origin-check': ['origin-foreign'],
  'no-host-check': ['host-foreign'],
  'no-session-check': ['session-missing'],
  'takes-relative': ['diff-relative'],
  'plain-close': contents,
  trims: ['diff-large'],
  'decides-at-once': opens,
  'never-silent': ['diff-silent'],
  'no-close': ['tools'],
  garbage: ['context-form', 'diff-rejected'],
  'many-files': ['context-form'],
  'counts-from-0': ['context-form'],
  flood: ['context-pace'],
  readable: ['discovery-private'],
  'leaves-file': ['discovery-removed'],
  // What it leaves behind when it dies is its file.
  'dies-at-diff': ['diff-opens', 'discovery-removed'],
  'dies-at-garbage': ['garbage', 'discovery-removed'],
  ...(hasOtherAddress ? {'open-to-all': ['loopback-only']} : {}),
};

const names = Object.keys(faults);
const groups = Array.from({length: Math.ceil(names.length / 3)}, (_, index) => names.slice(index * 3, index * 3 + 3));
test.concurrent.each(groups.map((group) => [group.join(', '), group] as const))(
  'what is wrong with a companion fails the check that is about it: %s',
  async (_, group) => {
    const found = await Promise.all(group.map(async (fault) => [fault, namesOf(await check(byHand(fault)), 'failed')]));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(group.map((fault) => [fault, faults[fault]])));
  },
);

test.concurrent('the kit and a companion written by hand pass every check', async () => {
  const subjects = {kit: [process.execPath, fixture('with-kit.mjs'), kit], hand: byHand('')};
  const found = await Promise.all(
    Object.entries(subjects).map(async ([name, command]) => {
      const results = await check(command);
      return [
        name,
        {
          count: results.length,
          failed: results.filter(({outcome}) => outcome === 'failed'),
          skipped: namesOf(results, 'skipped'),
        },
      ];
    }),
  );
  const fit = {count: 33, failed: [], skipped: machineSkips};
  expect(Object.fromEntries(found)).toEqual({kit: fit, hand: fit});
});

const later = (text: string): readonly string[] => [
  process.execPath,
  '-e',
  `
  const {mkdirSync, writeFileSync} = require('node:fs');
  const {join} = require('node:path');
  const folder = join(process.env.TMPDIR, 'gemini', 'ide');
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'gemini-ide-server-' + process.pid + '-45678.json'), process.argv[1], {mode: 0o600});
  setTimeout(() => undefined, 60_000);
`,
  text,
];

test.concurrent.each(['', '{"port": 45678, "authTok', '{"port": 0}', '{"port": 70000}', '{"port": [1]}', 'null'])(
  'a discovery file that holds %j is looked at again until the patience ends, and is not reported as a bug',
  async (text) => {
    const launched = launchCompanion({
      command: later(text),
      directory: checkout,
      variables: process.env,
      patienceMs: 1_000,
      signal: new AbortController().signal,
    });
    await expect(launched).rejects.toMatchObject({
      code: 'COMPANION_SILENT',
      message: expect.stringContaining('wrote no complete discovery file with a port within 1 s.'),
    });
  },
);

test.concurrent('a discovery file that is still being written is taken when it is whole', async () => {
  const program = `
    const fs = require('node:fs');
    const {createServer} = require('node:net');
    const {join} = require('node:path');
    const folder = join(process.env.TMPDIR, 'gemini', 'ide');
    fs.mkdirSync(folder, {recursive: true});
    const file = join(folder, 'gemini-ide-server-' + process.pid + '-45678.json');
    fs.writeFileSync(file, '{"port": 45678, "auth');
    let looks = 0;
    // The check has read it by then at least once.
    const timer = setInterval(() => {
      if ((looks += 1) === 4) fs.writeFileSync(file, '{"port": "45678", "authToken": "whole"}');
    }, 50);
  `;
  await using launched = await launchCompanion({
    command: [process.execPath, '-e', program],
    directory: checkout,
    variables: process.env,
    patienceMs: 10_000,
    signal: new AbortController().signal,
  });
  expect([launched.port, launched.token]).toEqual([45_678, 'whole']);
});

test.concurrent('one whose file is gone, or whose token cannot be sent, fails checks', async () => {
  await using folder = await makeFolder();
  const path = join(folder.path, `gemini-ide-server-${process.pid}-1.json`);
  const results = await checkCompanion(
    {
      port: 1,
      token: '',
      file: {path, text: '{"port": 1, "workspacePath": "", "authToken": "a\\nb"}'},
      signal: new AbortController().signal,
    },
    {patienceMs: 5_000},
  );
  expect(results.slice(1, 3).map(({name, outcome, reason}) => [name, outcome, reason])).toEqual([
    ['discovery-private', 'failed', 'It is missing while the companion runs.'],
    ['discovery-content', 'failed', 'authToken is not the token of the companion.'],
  ]);
});

test.concurrent('one that dies is not asked any further', async () => {
  const results = await check(byHand('dies-at-diff'));
  expect(results.filter(({name}) => name.startsWith('diff-')).map(({outcome, reason}) => [outcome, reason])).toEqual([
    ['failed', expect.stringContaining('The connection broke')],
    ...Array.from({length: 9}, () => ['skipped', 'The companion ended during diff-opens.']),
  ]);
});

test.concurrent(
  'gemini ide check-companion starts a command, shows each check, and leaves nothing behind',
  async () => {
    await using folder = await makeFolder();
    const temporary = join(folder.path, 'temporary');
    await mkdir(temporary);
    const {code, stdout, stderr} = await runGemini(
      ['ide', 'check-companion', '--', 'node', fixture('with-kit.mjs'), kit],
      {cwd: folder.path, home: folder.path, variables: {TMPDIR: temporary}},
    );
    const lines = stdout.split('\n');
    expect({
      code,
      stderr,
      first: lines[0],
      last: lines
        .at(-2)
        ?.replace(/^3[23] of 33/, '… of 33')
        .replace(/, .*\./, '.'),
      left: await readdir(temporary),
    }).toEqual({
      code: 0,
      stderr: '',
      first: '✓ discovery-name',
      last: '… of 33 checks passed.',
      left: [],
    });
  },
);

test.concurrent(
  'gemini ide check-companion names what is wrong and what the specification says, and ends with 1 for what a ' +
    'companion must do alone; a program gets every result [ide.must]',
  async () => {
    await using folder = await makeFolder();
    const run = (fault: string, ...flags: readonly string[]): ReturnType<typeof runGemini> =>
      runGemini(['ide', 'check-companion', ...flags, '--', ...byHand(fault)], {
        cwd: folder.path,
        home: folder.path,
        variables: {DEBUG: '1'},
      });
    const [people, unfit, program] = await Promise.all([
      run('takes-relative'),
      run('no-close'),
      run('takes-relative', '--json'),
    ]);
    expect(unfit).toEqual({
      code: 1,
      stdout: expect.stringContaining('✗ must tools: '),
      stderr: expect.stringMatching(/1 required check failed\.[^]*code: 'COMPANION_UNFIT'/),
    });
    expect(people).toEqual({
      code: 0,
      stdout: expect.stringContaining(
        '! should diff-relative: The answer claims that the diff is shown.\n  openDiff of a path that is not ' +
          'absolute is an error.\n',
      ),
      stderr: '',
    });
    expect(people.stdout).toContain('1 recommended check failed. The published specification does not require them.\n');
    expect(people.stdout).not.toContain('diff-input:');
    const {checks, ...counts} = JSON.parse(program.stdout) as {checks: readonly Result[]};
    expect({code: program.code, ...counts, failed: namesOf(checks, 'failed')}).toEqual({
      code: 0,
      passed: 32 - machineSkips.length,
      failed: ['diff-relative'],
      advised: 1,
      skipped: machineSkips.length,
    });
  },
);

test.concurrent(
  'gemini ide check-companion finds a companion that runs by its port, or takes the token, and does not end it',
  async () => {
    await using folder = await makeFolder();
    const editor = rememberingEditor();
    await using companion = await startKit({temporary: folder.path, pid: process.pid, editor});
    const run = (
      variables: Readonly<Record<string, string>>,
      ...flags: readonly string[]
    ): ReturnType<typeof runGemini> =>
      runGemini(['ide', 'check-companion', String(companion.port), '--json', ...flags], {
        cwd: folder.path,
        home: folder.path,
        variables,
      });
    const empty = join(folder.path, 'empty');
    await mkdir(empty);
    const [found, told] = await Promise.all([
      run({TMPDIR: folder.path}),
      run({TMPDIR: empty}, '--token', companion.token),
    ]);
    const skippedOf = ({stdout}: {stdout: string}): readonly string[] =>
      namesOf((JSON.parse(stdout) as {checks: readonly Result[]}).checks, 'skipped');
    expect([found.code, skippedOf(found)]).toEqual([0, [...machineSkips, 'discovery-removed']]);
    expect([told.code, skippedOf(told), [...editor.views]]).toEqual([
      0,
      ['discovery-name', 'discovery-private', 'discovery-content', ...machineSkips, 'discovery-removed'],
      [],
    ]);
  },
);

test.concurrent('gemini ide check-companion says when there is nothing to check', async () => {
  await using folder = await makeFolder();
  const run = (...words: readonly string[]): ReturnType<typeof runGemini> =>
    runGemini(['ide', 'check-companion', ...words], {
      cwd: folder.path,
      home: folder.path,
      variables: {TMPDIR: folder.path},
    });
  expect(await run('1')).toMatchObject({code: 42, stderr: expect.stringContaining('No discovery file')});
  const unknown = await run('1', '--json');
  expect({code: unknown.code, error: (JSON.parse(unknown.stdout) as {error: object}).error}).toEqual({
    code: 42,
    error: expect.objectContaining({
      code: 'COMPANION_UNKNOWN',
      message: expect.stringContaining('names port 1'),
      hint: 'Pass the token with --token.',
    }),
  });
  expect(await run('1', '--token', 'a\nb')).toMatchObject({
    code: 42,
    stderr: expect.stringContaining('cannot be sent as a token'),
  });
  expect(await run('70000')).toMatchObject({code: 42, stderr: expect.stringContaining('70000 is not a port.')});
  const [ended, missing] = [
    await run('--json', '--', 'node', '-e', 'console.error("no editor"); process.exitCode = 3'),
    await run('--', 'no-such-program-here'),
  ];
  expect({code: ended.code, error: (JSON.parse(ended.stdout) as {error: object}).error}).toEqual({
    code: 1,
    error: expect.objectContaining({
      code: 'COMPANION_SILENT',
      message: expect.stringContaining('ended (exit code 3) before it wrote its discovery file.'),
      hint: 'Its output: no editor',
    }),
  });
  expect(missing).toMatchObject({code: 1, stderr: expect.stringContaining('ENOENT')});
});

test.concurrent('the program of docs/write-a-companion.md is a companion', async () => {
  const page = await readFile(join(checkout, 'docs', 'write-a-companion.md'), 'utf8');
  const [, program = ''] = /```js file=companion\.mjs\n([^]*?)```/.exec(page) ?? [];
  await using folder = await makeFolder();
  const file = join(folder.path, 'companion.mjs');
  await writeFile(file, program.replaceAll("'@gemini-kernel/plugin-ide/companion'", JSON.stringify(kit)));
  expect(program).toContain('@gemini-kernel/plugin-ide/companion');
  const results = await check([process.execPath, file, folder.path]);
  expect({failed: results.filter(({outcome}) => outcome === 'failed'), skipped: namesOf(results, 'skipped')}).toEqual({
    failed: [],
    skipped: machineSkips,
  });
});
