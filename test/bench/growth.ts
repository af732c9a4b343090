import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../helpers/plugin-root.js';
import {growTree, openFollower, timeCommand, commitAll} from './checkpoints.js';
import {computedMs, exponentOf, measureGrowth} from './exponent.js';
import {growSessions, sessionOf} from './grow-sessions.js';
import type {Bench} from './measure.js';

const MOST = 1.1;
const ROUNDS = 3;

interface Subject {
  /** Programs that it starts do the work: the time that passes counts, and not what this process computes. */
  readonly isApart?: true;
  readonly of: string;
  /** Once, four times and sixteen times. */
  readonly size: number;
  prepare(size: number, folder: string): Promise<() => Promise<unknown>>;
}

function bench({of, size, prepare, isApart}: Subject): Bench {
  return {
    name: `growth with ${of}`,
    target: {atMost: MOST, of: 'the exponent'},
    async run() {
      const folder = await mkdtemp(join(tmpdir(), 'gemini-growth-'));
      let count = 0;
      try {
        const sizes = [size, size * 4, size * 16];
        const own = (one: number): Promise<() => Promise<unknown>> => prepare(one, join(folder, String((count += 1))));
        const samples = await measureGrowth({
          sizes,
          rounds: ROUNDS,
          prepare: own,
          clock: isApart ? () => performance.now() : computedMs,
        });
        const times = samples.map(({size: one, cost}) => `${one}: ${cost.toFixed(1)} ms`).join(', ');
        return {
          ratio: exponentOf(samples),
          detail: `${times}; the last step: ${exponentOf(samples.slice(1)).toFixed(2)}`,
        };
      } finally {
        await rm(folder, {recursive: true, force: true});
      }
    },
  };
}

const plugins = ['settings', 'workspace'].map(pluginRoot);
const variables = {PATH: process.env['PATH']};

const subjects: readonly Subject[] = [
  {
    of: 'files, of the first command in a repository',
    size: 1000,
    isApart: true,
    async prepare(files) {
      const kernel = await createTestKernel({plugins, variables});
      growTree(kernel.project, files);
      commitAll(kernel.project);
      const follower = await openFollower(kernel, 'watch');
      return async () => {
        while ((await timeCommand(follower, () => undefined)).kind !== 'watched');
        await follower.close();
        await kernel.close();
      };
    },
  },
  {
    of: 'roots, of resolving a path in each',
    size: 5,
    async prepare(roots) {
      const names = Array.from({length: roots}, (_, index) => `root${index}`);
      const files = Object.fromEntries(names.map((name) => [`${name}/a.txt`, 'a']));
      const kernel = await createTestKernel({plugins, variables, files, flags: {'context.includeDirectories': names}});
      const workspace = await kernel.service('workspace');
      await workspace.roots();
      return async () => {
        for (const name of names) await workspace.resolve(`${name}/a.txt`);
        await kernel.close();
      };
    },
  },
  {
    of: 'sessions, of deleting the old ones',
    size: 250,
    async prepare(sessions, folder) {
      const project = await growSessions(folder, sessions);
      const {tidySessions} = await import('#plugins/sessions/dist/retention.js');
      return () => tidySessions(project, {maxAge: 1000}, {current: '', mostMs: 60_000});
    },
  },
  {
    of: 'sessions, of listing them',
    size: 250,
    async prepare(sessions, folder) {
      const project = await growSessions(folder, sessions);
      const {listSessions} = await import('#plugins/sessions/dist/session-store.js');
      return async () => listSessions(project, '');
    },
  },
  {
    of: 'messages, of resuming',
    size: 6250,
    async prepare(messages, folder) {
      await mkdir(folder, {recursive: true});
      const file = join(folder, 'session.jsonl');
      await writeFile(file, sessionOf(messages));
      const [{readConversation}, {repairHistory}] = await Promise.all([
        import('#plugins/sessions/dist/session-store.js'),
        import('#plugins/agent/dist/repair-history.js'),
      ]);
      return async () => repairHistory((await readConversation(file)).entries);
    },
  },
  {
    of: 'rules, of reading them',
    size: 250,
    async prepare(rules) {
      const text = Array.from(
        {length: rules},
        (_, n) =>
          `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "tool${n} apply"\ndecision = ` +
          `"ask_user"\npriority = ${100 + (n % 800)}\n`,
      ).join('\n');
      const {readRules} = await import('#plugins/policy/dist/read/read-rules.js');
      return async () => readRules(text, {tier: 'user', file: 'bench.toml', label: 'User: bench.toml', knownTools: []});
    },
  },
  {
    of: 'calls, of one session',
    size: 50,
    async prepare(calls) {
      const kernel = await createTestKernel({
        plugins: [...plugins, pluginRoot('filesystem')],
        variables,
        confirm: 'yes',
        files: {'a.txt': 'a'},
      });
      await kernel.call('read_file', {file_path: 'a.txt'});
      return async () => {
        for (let call = 0; call < calls; call += 1) await kernel.call('read_file', {file_path: 'a.txt'});
        await kernel.close();
      };
    },
  },
  {
    of: 'calls, of reading their checkpoints',
    size: 500,
    async prepare(calls, folder) {
      const {appendCheckpoint, readCheckpoints} = await import('#plugins/sessions/dist/checkpoint-log.js');
      const state = {kind: 'file', hash: 'a'.repeat(64), mode: 0o644} as const;
      for (let call = 0; call < calls; call += 1)
        await appendCheckpoint(folder, {
          id: `c${call}`,
          tool: 'x',
          time: '',
          before: [{path: `/f${call % 50}`, state}],
          after: [{path: `/f${call % 50}`, state}],
          gaps: [],
        });
      return () => readCheckpoints(folder);
    },
  },
];

/** How costs grow with once, four times and sixteen times as much. */
export const growth: readonly Bench[] = subjects.map(bench);
