import {cp, mkdir, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {installPlugins} from '../helpers/install-plugins.js';
import {checkout} from '../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../helpers/run-gemini.js';
import {testIsolated} from '../plugins/isolation/open-isolated.js';

const CODE = `import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {readFileSync} from 'node:fs';
const attempt = async (act) => { try { return await act(); } catch (error) { return error.code ?? error.message; } };
export default class GoodHello extends KernelCommand {
  static summary = 'Does good hello.';
  static args = {act: Args.string({required: true, description: 'What to do.'})};
  static flags = {word: Flags.string({description: 'A word.'})};
  async run() {
    const {args: {act}, flags} = await this.parse(GoodHello);
    if (act === 'say') {
      this.log('Hello ' + flags.word + '\\u001b]0;title\\u0007');
      this.logToStderr('aside');
    }
    if (act === 'fail') throw new KernelError('GOOD_FAULT', 'It is closed.', {hint: 'Open it.'});
    if (act === 'exit') this.exit(7);
    if (act === 'end') this.host.end(3);
    if (act === 'die') process.exit(0);
    if (act === 'reach') return {
      pid: process.pid, cwd: this.kernel.environment.cwd, token: process.env.GOOD_TOKEN ?? 'hidden',
      secret: await attempt(() => readFileSync(this.kernel.environment.home + '/.ssh/id', 'utf8')),
      trusted: (await (await this.service('trust')).state()).trusted,
      mode: await attempt(async () => (await (await this.service('settings')).get('approvalMode')) ?? 'none'),
      run: await attempt(() => this.host.run(['--version'], {show: false})),
      terminal: Boolean(process.stdout.isTTY),
    };
    return {done: act};
  }
}\n`;

/** A home in which the plugin is installed as a person would have it. */
async function openHome(folder: Folder, isolation: string, command: object = {}): Promise<string> {
  const home = join(folder.path, 'home');
  await installPlugins(home, {
    present: ['good'],
    async change(root) {
      await writeFile(join(root, 'dist', 'commands', 'good', 'hello.js'), CODE);
      const file = join(root, 'gemini.plugin.json');
      const manifest = JSON.parse(await readFile(file, 'utf8')) as {readonly commands: readonly object[]};
      const commands = manifest.commands.map((one) => ({...one, slash: true, ...command}));
      const requires = {services: {trust: '^1', settings: '^1'}};
      await writeFile(file, JSON.stringify({...manifest, requires, commands}));
    },
  });
  await mkdir(join(home, '.gemini'), {recursive: true});
  await mkdir(join(home, '.ssh'));
  await writeFile(join(home, '.ssh', 'id'), 'key');
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({security: {pluginIsolation: isolation}}));
  return home;
}

/** Both tiers, one after the other. */
async function inBoth(folder: Folder, ...args: string[]): Promise<readonly RunResult[]> {
  const results: RunResult[] = [];
  for (const isolation of ['required', 'off']) {
    const home = await openHome({...folder, path: join(folder.path, `${isolation}-${args.join('')}`)}, isolation);
    results.push(await runGemini(['good', 'hello', ...args], {cwd: home, home, variables: {GOOD_TOKEN: 'x'}}));
  }
  return results;
}

testIsolated(
  'a command of an isolated plugin prints, fails and ends as it does in the process of gemini [isolation.commands]',
  async () => {
    await using folder = await makeFolder();
    for (const args of [
      ['say', '--word=you'],
      ['say', '--word=you', '--json'],
      ['fail'],
      ['fail', '--json'],
      ['exit'],
      ['end'],
      [],
    ]) {
      const [isolated, usual] = await inBoth(folder, ...args);
      expect([args, isolated]).toEqual([args, usual]);
    }
  },
  120_000,
);

testIsolated(
  'it sees what its plugin declares, and services, and has no other way to the program [isolation.commands]',
  async () => {
    await using folder = await makeFolder();
    const home = await openHome(folder, 'required');
    const {stdout, stderr, code} = await runGemini(['good', 'hello', 'reach', '--json'], {
      ...{cwd: home, home, variables: {GOOD_TOKEN: 'x'}},
    });
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(JSON.parse(stdout)).toMatchObject({
      ...{cwd: home, token: 'hidden', secret: expect.stringMatching(/^E/), trusted: true},
      ...{run: 'SERVICE_LOCAL', terminal: false},
    });
    const died = await runGemini(['good', 'hello', 'die'], {cwd: home, home});
    expect(died).toMatchObject({code: 1, stderr: expect.stringContaining('The process of good ended')});
  },
  60_000,
);

testIsolated(
  'a linked plugin is tried in a process of its own, and again in that of gemini [isolation.linked]',
  async () => {
    await using folder = await makeFolder();
    const home = await openHome(folder, 'off');
    const root = join(folder.path, 'linked');
    const [store = ''] = await readdir(join(home, '.local', 'share', 'gemini', 'store'));
    await cp(join(home, '.local', 'share', 'gemini', 'store', store, 'node_modules', 'good'), root, {recursive: true});
    await rm(join(home, '.local'), {recursive: true});
    await mkdir(join(root, 'node_modules', '@oclif'), {recursive: true});
    await symlink(join(checkout, 'node_modules', '@oclif', 'core'), join(root, 'node_modules', '@oclif', 'core'));
    await mkdir(join(root, 'node_modules', '@gemini-kernel'));
    for (const name of ['kernel', 'command'])
      await symlink(
        join(checkout, 'node_modules', '@gemini-kernel', name),
        join(root, 'node_modules', '@gemini-kernel', name),
      );
    const run = (...args: string[]) => runGemini(args, {cwd: home, home});
    for (const isolated of [true, false]) {
      const linked = await run('plugins', 'link', root, '--yes', ...(isolated ? ['--isolated'] : []));
      expect(linked).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(isolated ? 'process of its own' : 'Linked'),
      });
      const {stdout} = await run('good', 'hello', 'reach', '--json');
      expect(JSON.parse(stdout)).toMatchObject({secret: isolated ? expect.stringMatching(/^E/) : 'key'});
    }
  },
  60_000,
);

test('a flag counts only where it stands in the line [isolation.commands]', async () => {
  const {givenFlags} = await import('#bin/dist/given-flags.js');
  const flags = new Map([
    ['approval-mode', {name: 'approval-mode', setting: 'mode', type: 'string', description: ''}],
    ['yolo', {name: 'yolo', char: 'y', setting: 'mode', type: 'boolean', value: 'yolo', description: ''}],
    ['sandbox', {name: 'sandbox', setting: 'sandbox', type: 'boolean', description: ''}],
  ]) as unknown as Parameters<typeof givenFlags>[2]['flags'];
  const of = (given: Record<string, unknown>, ...argv: string[]) => givenFlags(given, argv, {flags});
  expect(of({mode: 'yolo', sandbox: false, other: 1}, 'x')).toEqual({});
  expect(of({mode: 'yolo'}, '--', '--yolo')).toEqual({});
  expect(of({mode: 'yolo'}, '-y')).toEqual({mode: 'yolo'});
  expect(of({mode: 'plan', sandbox: false}, '--approval-mode', 'plan', '--no-sandbox')).toEqual({
    mode: 'plan',
    sandbox: false,
  });
  expect(of({mode: 'yolo'}, '--approval-mode=plan')).toEqual({});
});
