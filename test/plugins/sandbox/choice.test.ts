import {chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {findBubblewrap} from '#plugins/sandbox/dist/linux/find-bubblewrap.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {openSandbox, testConfined} from './open-sandbox.js';

interface Place {
  readonly user?: object;
  readonly project?: object;
  readonly variables?: Readonly<Record<string, string>>;
}

/** The state of a place with these settings. */
async function stateOf({user = {}, project = {}, variables = {}}: Place, flags: Record<string, unknown> = {}) {
  await using kernel = await openSandbox({
    homeFiles: {'.gemini/settings.json': JSON.stringify(user)},
    files: {'.gemini/settings.json': JSON.stringify(project)},
    variables: {GEMINI_SANDBOX: undefined, ...variables},
    flags,
  });
  const {isOn, why} = await (await kernel.service('sandbox')).state();
  return `${isOn ? 'on' : 'off'}: ${why}`;
}

describe('what turns the sandbox on [sandbox.choice]', () => {
  const on = {tools: {sandbox: true}};
  const off = {tools: {sandbox: false}};
  test.each<[string, Place, Record<string, unknown>, string]>([
    ['nothing', {}, {}, 'off: Nothing asks for it.'],
    ['a setting of the person', {user: on}, {}, 'on: tools.sandbox asks for it.'],
    ['its name', {user: {tools: {sandbox: 'bwrap'}}}, {}, 'on: tools.sandbox asks for it.'],
    ['an object', {user: {tools: {sandbox: {enabled: true}}}}, {}, 'on: tools.sandbox asks for it.'],
    [
      'the setting for each tool',
      {user: {security: {toolSandboxing: true}}},
      {},
      'on: security.toolSandboxing asks for it.',
    ],
    ['the flag', {user: off}, {'tools.sandbox': true}, 'on: --sandbox asks for it.'],
    ['not the flag that negates it', {user: on}, {'tools.sandbox': false}, 'off: --sandbox turns it off.'],
    ['the variable', {user: off, variables: {GEMINI_SANDBOX: '1'}}, {}, 'on: GEMINI_SANDBOX asks for it.'],
    [
      'not against the variable',
      {user: on, variables: {GEMINI_SANDBOX: 'false'}},
      {'tools.sandbox': true},
      'off: GEMINI_SANDBOX turns it off.',
    ],
    ['a project', {project: on}, {}, 'on: tools.sandbox of the project asks for it.'],
    ['a person against a project', {user: on, project: off}, {}, 'on: tools.sandbox asks for it.'],
  ])('%s', async (_, place, flags, expected) => {
    expect(await stateOf(place, flags)).toBe(expected);
  });
});

describe('a sandbox that cannot be used [sandbox.unavailable]', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-choice-')));
  const run = (args: readonly string[], variables: Record<string, string>) =>
    runGemini(args, {cwd: folder, home: folder, variables});

  test.each<[string, Record<string, string>, string, string]>([
    [
      'windows-native',
      {GEMINI_SANDBOX: 'windows-native'},
      'SANDBOX_UNAVAILABLE',
      'gemini does not run in windows-native',
    ],
    ['in a sandbox', {GEMINI_SANDBOX: 'true', SANDBOX: 'x'}, 'SANDBOX_UNAVAILABLE', 'in a sandbox already'],
    ['a name that is wrong', {GEMINI_SANDBOX: 'jail'}, 'SANDBOX_UNKNOWN', '"jail"'],
  ])('%s ends the start with 44', async (_, variables, code, sentence) => {
    const {code: exit, stdout, stderr} = await run(['-p', 'hello', '--output-format', 'json'], variables);
    expect({exit, stdout: `${stdout}${stderr}`}).toEqual({exit: 44, stdout: expect.stringContaining(code)});
    expect(`${stdout}${stderr}`).toContain(sentence.replaceAll('"', '\\"'));
    expect((await run(['sandbox', 'status'], variables)).code).toBe(44);
  });

  test('gemini sandbox status says what is missing, for people and programs', async () => {
    const {code, stdout} = await run(['sandbox', 'status', '--json'], {GEMINI_SANDBOX: 'true', SANDBOX: 'x'});
    expect(code).toBe(44);
    expect(JSON.parse(stdout)).toMatchObject({isOn: true, isPossible: false, fault: {hint: expect.any(String)}});
    const text = await run(['sandbox', 'status'], {GEMINI_SANDBOX: 'true', SANDBOX: 'x'});
    expect(text.stdout).toMatch(/^Sandbox: cannot be used\. GEMINI_SANDBOX asks for it\.\n/);
  });

  test('the program is missing, too old, or refused by the system', async () => {
    const bubblewrap = (name: string, text: string): string => {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\n${text}\n`);
      chmodSync(file, 0o755);
      return file;
    };
    const versioned = 'case $1 in --version) echo bubblewrap 0.9.0; exit;; esac';
    const refused = `${versioned}; echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1`;
    expect(await findBubblewrap([join(folder, 'none')])).toMatchObject({
      sentence: expect.stringContaining('not installed'),
    });
    expect(await findBubblewrap([bubblewrap('old', 'echo bubblewrap 0.3.1')])).toMatchObject({
      sentence: 'bubblewrap 0.3.1 is too old.',
    });
    expect(await findBubblewrap([bubblewrap('odd', 'echo hello')])).toMatchObject({
      sentence: 'bubblewrap of an unknown version is too old.',
    });
    expect(await findBubblewrap([bubblewrap('refused', refused)])).toMatchObject({
      sentence: expect.stringContaining('uid map: Permission denied'),
      hint: expect.stringContaining('user namespaces'),
    });
    expect(await findBubblewrap([bubblewrap('hangs', 'exec sleep 60')])).toMatchObject({sentence: expect.any(String)});
    rmSync(folder, {recursive: true});
  }, 20_000);

  testConfined('the program is there', async () => {
    expect(await findBubblewrap()).toEqual({file: expect.any(String), version: expect.stringMatching(/^\d/)});
  });
});
