import {access, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {GuardProof} from '@gemini-kernel/plugin-doctor/contract';
import {readProbe} from '#plugins/hooks/dist/config/read-probe.js';
import {makeFolder} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {answer, hook, startHooks} from './scene.js';

const NEEDED = [
  'settings',
  'trust',
  'env',
  'network',
  'workspace',
  'policy',
  'filesystem',
  'secrets',
  'agent',
  'hooks',
];
const plugins = [...NEEDED, 'doctor'].map(pluginRoot);
const no = answer({decision: 'deny', reason: 'no'});

async function prove(options: Parameters<typeof startHooks>[0]): Promise<readonly GuardProof[]> {
  await using kernel = await startHooks({plugins, ...options});
  return await (await kernel.service('guards:hooks')).prove(new AbortController().signal);
}

const briefly = (proofs: readonly GuardProof[]): readonly (readonly string[])[] =>
  proofs.map(({name, state, reason}) => [name, state, reason]);

test('a hook that guards is proven by the event that its probe declares, or named [hooking.proven]', async () => {
  const input = {command: 'rm -r x'};
  const named = (name: string, command: string, probe: unknown, more = {}): Record<string, unknown> =>
    hook(command, {name, probe, ...more});
  const proofs = await prove({
    hooks: {
      BeforeTool: [
        {
          matcher: 'run_shell_command',
          hooks: [
            named('refuses', `grep -q 'rm -r' && echo no >&2 && exit 2; exit 0`, {input}),
            named('asks', answer({decision: 'ask', reason: 'sure?'}), {input, decision: 'ask'}),
            named('lets', 'cat >/dev/null', {input: {command: 'ls'}, decision: 'allow'}),
            named('sleeps', 'cat >/dev/null', {input}),
            named('is gone', '/nowhere/guard', {input}),
            named('is late', 'sleep 60', {input}, {timeout: 200}),
            named('is wrong', no, 7),
            named('is elsewhere', no, {tool: 'write_file', input}),
            hook(no, {name: 'says nothing of it'}),
          ],
        },
      ],
      BeforeAgent: [{hooks: [named('stops', answer({continue: false, stopReason: 'x'}), {input: {prompt: 'secret'}})]}],
      AfterAgent: [{hooks: [hook('true', {name: 'observes'})]}],
    },
  });
  const about = 'run_shell_command {"command":"rm -r x"}';
  expect(briefly(proofs)).toEqual([
    ['refuses', 'proven', `It refused ${about}.`],
    ['asks', 'proven', `It asks you about ${about}.`],
    ['lets', 'proven', 'It let run_shell_command {"command":"ls"} through.'],
    ['sleeps', 'down', `It must refuse ${about}, and said nothing.`],
    ['is gone', 'down', expect.stringContaining('could not start')],
    ['is late', 'down', expect.stringContaining('gave no answer within 0.2 s')],
    ['is wrong', 'down', 'Its probe is invalid: it must be an object, not 7.'],
    ['is elsewhere', 'down', 'Its matcher "run_shell_command" is not for write_file, which its probe names.'],
    ['says nothing of it', 'unproven', 'It declares no probe.'],
    ['stops', 'proven', 'It refused {"prompt":"secret"}.'],
  ]);
  expect(proofs[0]?.details).toBe('BeforeTool (run_shell_command), user, failure: closed');
});

test('gemini doctor shows each, and ends with 1 when one is down [hooking.proven]', async () => {
  await using folder = await makeFolder();
  const place = {cwd: join(folder.path, 'project'), home: join(folder.path, 'home')};
  await mkdir(place.cwd, {mode: 0o700});
  await mkdir(join(place.home, '.gemini'), {recursive: true, mode: 0o700});
  const examine = async (command: string): Promise<readonly [code: number | null, row: string | undefined]> => {
    const hooks = {BeforeTool: [{hooks: [hook(command, {name: 'no-rm', probe: {input: {command: 'rm -r x'}}})]}]};
    await writeFile(join(place.home, '.gemini', 'settings.json'), JSON.stringify({hooks}), {mode: 0o600});
    const {code, stdout} = await runGemini(['doctor'], place);
    return [code, stdout.split('\n').find((line) => line.includes('no-rm (BeforeTool, user, failure: closed)'))];
  };
  expect(await examine(no)).toEqual([0, expect.stringMatching(/^proven {4}no-rm .* It refused run_shell_command/)]);
  expect(await examine('cat')).toEqual([1, expect.stringMatching(/^down {6}no-rm .* and said nothing\.$/)]);
}, 60_000);

test('a probe that is wrong does not keep a hook from refusing [hooking.proven]', async () => {
  await using kernel = await startHooks({hooks: {BeforeTool: [{hooks: [hook(no, {probe: {decision: 'never'}})]}]}});
  const ended = await kernel.call('read_file', {file_path: 'a.txt'});
  expect(ended).toMatchObject({status: 'refused'});
});

test('a hook of the project that no one agreed to, or of a strange folder, is not run for a proof [hooking.proven]', async () => {
  await using folder = await makeFolder();
  const mark = join(folder.path, 'mark');
  const project = {BeforeTool: [{hooks: [hook(`echo x >'${mark}'`, {name: 'theirs', probe: {}})]}]};
  const isRun = async (): Promise<boolean> =>
    access(mark).then(
      () => true,
      () => false,
    );
  const waiting = await prove({project});
  expect(waiting).toMatchObject([
    {name: 'theirs', state: 'off', reason: expect.stringContaining('gemini hooks trust')},
  ]);
  const strange = await prove({project, variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'}});
  expect(strange).toMatchObject([{name: 'theirs', state: 'off', reason: expect.stringContaining('not trusted')}]);
  const off = await prove({
    hooks: {BeforeTool: [{hooks: [hook(`echo x >'${mark}'`, {name: 'mine', probe: {}})]}]},
    settings: {hooksConfig: {disabled: ['mine']}},
  });
  expect(off).toMatchObject([{name: 'mine', state: 'off'}]);
  expect(await isRun()).toBe(false);
});

test('an agreement to a hook of the project does not cover another probe [hooking.acknowledged]', async () => {
  const theirs = (probe: unknown): Record<string, unknown> => ({BeforeTool: [{hooks: [hook(no, {probe})]}]});
  const idOf = async (probe: unknown): Promise<string | undefined> => {
    await using kernel = await startHooks({project: theirs(probe)});
    return (await (await kernel.service('hooks')).list())[0]?.id;
  };
  expect(await idOf({input: {command: 'a'}})).not.toBe(await idOf({input: {command: 'b'}}));
});

test.each([
  [undefined, true, {}],
  [{}, true, {probe: {tool: 'run_shell_command', input: {}, decision: 'deny'}}],
  [{input: {prompt: 'x'}}, false, {probe: {input: {prompt: 'x'}, decision: 'deny'}}],
  [{tool: 'x'}, false, {probeFault: '"tool" is for BeforeTool and AfterTool only'}],
  [{tool: ''}, true, {probeFault: '"tool" must be the name of a tool, not ""'}],
  [{tool: 3}, true, {probeFault: '"tool" must be the name of a tool, not 3'}],
  [{input: []}, true, {probeFault: '"input" must be an object, not []'}],
  [null, true, {probeFault: 'it must be an object, not null'}],
])('the probe %j is read [hooking.proven]', (value, isTool, read) => {
  expect(readProbe(value, isTool)).toEqual(read);
});
