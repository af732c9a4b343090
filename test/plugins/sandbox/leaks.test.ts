import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, openSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from '@jest/globals';
import {Laboratory} from '#plugins/sandbox/dist/leaks/laboratory.js';
import {allProbes} from '#plugins/sandbox/dist/leaks/probes/index.js';
import {runProbes, type Probed} from '#plugins/sandbox/dist/leaks/run-probes.js';
import {checkout} from '../../helpers/plugin-root.js';
import {where} from '../../helpers/where.js';
import {testConfined} from './open-sandbox.js';

const LIMIT_MS = 120_000;
const testAsRoot = process.getuid?.() === 0 ? testConfined : where(false, 'root');

/** Runs `gemini sandbox test` as a user, with a home of its own; gives what did not go well, and the counts. */
async function testAs(user: number | undefined): Promise<{readonly bad: readonly Probed[]; readonly tried: number}> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-leaks-home-')));
  const words = [process.execPath, join(checkout, 'bin', 'gemini.cjs'), 'sandbox', 'test', '--json'];
  const given = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  const [file = '', ...args] = [...given, ...words];
  const variables = {PATH: process.env['PATH'], HOME: home, TMPDIR: tmpdir(), GEMINI_TEST_TOKEN: 'CANARY-gemini-leak'};
  if (user !== undefined) await promisify(execFile)('chown', [String(user), home]);
  try {
    const {stdout} = await promisify(execFile)(file, args, {cwd: home, env: variables}).catch(
      (error: unknown) => error as {readonly stdout: string},
    );
    const {probes} = JSON.parse(stdout) as {readonly probes: readonly Probed[]};
    return {bad: probes.filter(({outcome}) => !['held', 'works'].includes(outcome)), tried: probes.length};
  } finally {
    rmSync(home, {recursive: true, force: true});
  }
}

describe('the probes', () => {
  test('are at least 60 that must not succeed, each with a name of its own [sandbox.leaks]', () => {
    const probes = allProbes();
    expect(new Set(probes.map(({id}) => id)).size).toBe(probes.length);
    expect(probes.filter(({kind}) => kind === 'contained').length).toBeGreaterThanOrEqual(60);
  });

  test('find what a program without a sandbox reaches [sandbox.leaks]', async () => {
    const harmless = /^(?:read|network)\.|^machine\.namespace|^works\.(?:read|rename|git)/;
    const dangerous = ['read.sockets', 'read.descriptors', 'read.host-tmp-list', 'read.shadow', 'read.variables'];
    const probes = allProbes().filter(({id}) => harmless.test(id) && !dangerous.includes(id));
    const laboratory = await Laboratory.build(tmpdir());
    try {
      const results = await runProbes(
        {probes, laboratory, variables: process.env, confine: async (request) => ({...request, descriptors: []})},
        new AbortController().signal,
      );
      const outcomes = new Map(results.map(({id, outcome}) => [id, outcome]));
      for (const id of ['read.ssh-key', 'read.env-deep', 'read.host-tmp', 'network.unix', 'machine.namespace-pid'])
        expect([id, outcomes.get(id)]).toEqual([id, 'leaked']);
      expect(results.filter(({outcome}) => outcome === 'leaked').length).toBeGreaterThan(30);
    } finally {
      await laboratory.close();
    }
  }, 60_000);
});

describe('in a sandbox', () => {
  testConfined(
    'nothing leaks and everything that must work does [sandbox.leaks]',
    async () => {
      const {bad, tried} = await testAs(undefined);
      expect(bad).toEqual([]);
      expect(tried).toBe(allProbes().length);
    },
    LIMIT_MS,
  );

  testAsRoot(
    'the same for an ordinary user [sandbox.leaks]',
    async () => {
      const {bad, tried} = await testAs(65_534);
      expect(bad).toEqual([]);
      expect(tried).toBe(allProbes().length);
    },
    LIMIT_MS,
  );

  testConfined(
    'a descriptor that gemini inherited is not passed on [sandbox.leaks]',
    async () => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-descriptor-')));
      writeFileSync(join(folder, 'secret'), 'CANARY-gemini-leak');
      const fd = openSync(join(folder, 'secret'), 'r');
      try {
        const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), 'sandbox', 'shell'], {
          cwd: checkout,
          env: {PATH: process.env['PATH'], HOME: folder},
          stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'ignore', fd],
        });
        let output = '';
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
        child.stdin?.end('cat <&5; cat /proc/self/fd/5; echo done');
        await once(child, 'close');
        expect(output).toContain('done');
        expect(output).not.toContain('CANARY');
      } finally {
        rmSync(folder, {recursive: true, force: true});
      }
    },
    30_000,
  );
});
