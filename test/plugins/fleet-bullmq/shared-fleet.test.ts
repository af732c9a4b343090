import {execFileSync, spawn, type ChildProcess} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {expect, test} from '@jest/globals';
import {runChaos} from '../../chaos/fleet-chaos.js';
import {checkout} from '../../helpers/plugin-root.js';
import {findPostgres, findRedis, startPostgres, startRedis} from '../../helpers/queue-servers.js';
import {callsTools, says, type AgentPlace} from '../../helpers/run-agent.js';
import {isolate, type RunResult} from '../../helpers/run-gemini.js';
import {git, openFleet} from '../fleet/scene.js';

const [postgres, redis] = [findPostgres(), findRedis()];
const hasServers = postgres !== undefined && redis !== undefined;
const names = ['a', 'b', 'c', 'd'];
/** It runs the program some twenty times. */
const PATIENCE_MS = 120_000;
/** Latin 1: no text in UTF-8. */
const ODD = Buffer.from('Gr\xfc\xdfe from here\n', 'latin1');

const edits: Script = ({messages}) =>
  messages.at(-1)?.pieces.some(({kind}) => kind === 'result')
    ? says('Done.')
    : callsTools(
        ['write_file', {file_path: 'new.txt', content: 'made\n'}],
        ['replace', {file_path: 'odd.txt', old_string: 'from here', new_string: 'from there'}],
      );

interface Ended {
  readonly results: string;
  readonly done: number;
  readonly effects: readonly {readonly state: string}[];
}

interface Engine {
  readonly name: string;
  readonly address?: string;
}

/** Runs the plan with an engine in a home of its own; with an address, a second home works too. */
async function runOn(place: AgentPlace, {name, address}: Engine): Promise<Ended> {
  const homeOf = (which: string): string => join(place.project, '..', `${name}-${which}`);
  const inHome = (which: string, words: readonly string[]): Promise<RunResult> =>
    place.run(words, {variables: {GEMINI_CLI_HOME: homeOf(which)}});
  const queue = address === undefined ? [] : ['--queue', address];
  if (address !== undefined)
    for (const home of ['one', 'two'])
      expect(await inHome(home, ['plugins', 'link', join(checkout, 'plugins', 'fleet-bullmq'), '--yes'])).toMatchObject(
        {code: 0},
      );
  const helper = address === undefined ? undefined : startHelper(place, homeOf('two'), address);
  const {code, stdout} = await inHome('one', [
    ...['fleet', 'run', 'plan.toml', '--yes', '--no-sandbox', '--jobs', '2', '--json'],
    ...queue,
  ]);
  helper?.kill('SIGTERM');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Ended;
}

function linesOf({results}: Ended): readonly Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(results, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

/** A worker in another home, which stays until it is ended. */
function startHelper(place: AgentPlace, home: string, address: string): ChildProcess {
  const words = ['fleet', 'work', '--from', address, '--jobs', '2', '--yes', '--no-sandbox'];
  const variables = {GEMINI_CLI_HOME: home, GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: place.server.url};
  return spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
    cwd: place.project,
    env: isolate(place.home, variables),
    stdio: 'ignore',
  });
}

const on = hasServers ? test : test.skip;

on(
  'the same plan gives the same results on one machine and over both servers, and all is pushed [fleet.engines]',
  async () => {
    await using place = await openFleet({script: edits}, names);
    for (const name of names) writeFileSync(join(place.project, name, 'odd.txt'), ODD);
    for (const name of names) git(join(place.project, name), 'add', '--all');
    for (const name of names) git(join(place.project, name), 'commit', '--quiet', '-m', 'second');
    await using one = await startPostgres(postgres as string);
    await using two = await startRedis(redis as string);
    const engines: readonly Engine[] = [
      {name: 'local'},
      {name: 'postgres', address: `postgres://gemini@127.0.0.1:${one.port}/postgres?fleet=same`},
      {name: 'redis', address: `redis://127.0.0.1:${two.port}/0?fleet=same`},
    ];
    const all: unknown[] = [];
    for (const engine of engines) {
      const target = join(place.project, `${engine.name}.git`);
      mkdirSync(target);
      execFileSync('git', ['init', '--quiet', '--bare', target]);
      writeFileSync(
        join(place.project, 'plan.toml'),
        'name = "same"\nprompt = "Write a file"\nover = "repos.txt"\nmodel = "model-a"\n' +
          `[[effects]]\nkind = "push"\nremote = "${target}"\n`,
      );
      const ended = await runOn(place, engine);
      expect(ended.effects.map(({state}) => state)).toEqual(names.map(() => 'done'));
      const lines = linesOf(ended);
      const branches = git(target, 'for-each-ref', '--format=%(objectname) %(refname:short)').trim().split('\n');
      expect(branches.sort()).toEqual(lines.map(({commit, branch}) => `${commit} ${branch}`).sort());
      all.push(lines.map(({commit: _, session: __, machine: ___, seconds: ____, ...line}) => line));
    }
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    const mirrors = join(place.project, '..', 'redis-two', '.gemini-fleets', 'mirrors');
    expect(readdirSync(mirrors).filter((name) => name.endsWith('.git')).length).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

on(
  'the requests of a minute are shared by all machines [fleet.pace]',
  async () => {
    const times: number[] = [];
    await using place = await openFleet(
      {
        script: () => {
          times.push(Date.now());
          return says('Done.');
        },
      },
      [],
    );
    await using server = await startRedis(redis as string);
    const rows = Array.from({length: 50}, (_, index) => `{"n": ${index}}\n`);
    writeFileSync(join(place.project, 'rows.jsonl'), rows.join(''));
    writeFileSync(
      join(place.project, 'plan.toml'),
      'name = "pace"\nprompt = "{{n}}"\nover = "rows.jsonl"\nmodel = "model-a"\n' +
        '[limits]\nrequests_per_minute = 240\n',
    );
    const address = `redis://127.0.0.1:${server.port}/0?fleet=pace`;
    expect(await runOn(place, {name: 'pace', address})).toMatchObject({done: rows.length});
    // Without those at the beginning, when each machine is alone for a moment.
    const [first = 0, last = 0] = [times.at(9), times.at(-1)];
    expect(((times.length - 10) / (last - first)) * 60_000).toBeLessThan(240 * 1.05);
  },
  PATIENCE_MS,
);

on(
  'nothing is lost or done twice when the server is killed too, with workers and the fleet [fleet.once]',
  async () => {
    const chaos = {tasks: 6, workers: 3, steps: 1, killEveryMs: 1500, queue: 'redis'} as const;
    const six = {all: 6, different: 6};
    expect(await runChaos(chaos)).toMatchObject({done: 6, ids: 6, pushes: six, comments: six});
  },
  PATIENCE_MS,
);
