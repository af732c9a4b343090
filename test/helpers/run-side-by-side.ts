import {readdir} from 'node:fs/promises';
import type {} from '@gemini-kernel/plugin-env/contract';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Kernel, Session} from '@gemini-kernel/kernel/host';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from './plugin-root.js';

// node test/dist/helpers/run-side-by-side.js '{"places": […], "sessions": 10, "seed": 1}': what calls of many sessions
// in several places of one process come to, and what a place leaves behind. Prints JSON.
interface PlaceGiven {
  readonly cwd: string;
  readonly mode: string;
  readonly variables: Readonly<Record<string, string>>;
}

const {places, sessions, seed} = JSON.parse(process.argv[2] ?? '') as {
  readonly places: readonly PlaceGiven[];
  readonly sessions: number;
  readonly seed: number;
};

/** The same numbers for the same seed. */
function createRandom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

type Act = (session: Session, name: string) => Promise<unknown>;

const call =
  (tool: string, input: (name: string) => object): Act =>
  async (session, name) => {
    const {callId: _, ms: __, ...outcome} = await session.call({tool, input: input(name)});
    return outcome;
  };

const acts: readonly Act[] = [
  call('read_file', () => ({file_path: 'a.txt'})),
  call('read_file', () => ({file_path: '../other/a.txt'})),
  call('list_directory', () => ({dir_path: 'docs'})),
  call('write_file', (name) => ({file_path: `out/${name}.txt`, content: name})),
  // What the text is at that time depends on the order; that it can be changed does not.
  async (session, name) => {
    const input = {file_path: 'own.txt', old_string: 'own', new_string: `own ${name}`};
    return (await session.call({tool: 'replace', input})).status;
  },
  async (session) => (await session.service('settings')).get('model.name'),
  async (session) => (await session.service('variables')).get('WHO'),
  async (session, name) => (await (await session.service('network')).fetch(`http://service.example/${name}`)).text(),
];

/** What one session does, each act after some turns of the loop. */
async function live(kernel: Kernel, place: PlaceGiven, name: string, random: (below: number) => number) {
  const {cwd, variables, mode} = place;
  const session = kernel.open({cwd, variables, mode, interactive: true});
  const outcomes: unknown[] = [];
  for (let step = 0; step < 8; step += 1) {
    for (let turn = random(20); turn > 0; turn -= 1) await new Promise((done) => setImmediate(done));
    const act = acts[random(acts.length)];
    outcomes.push(await act?.(session, `${name}-${step}`));
  }
  return {session, outcomes};
}

/** What a process holds: open connections, servers, pipes, children, watchers, and listeners to its own events. */
async function countHeld(temporary: string): Promise<unknown> {
  const kept = /^(TCP|Pipe|Process|FSEvent|StatWatcher|Worker|UDP|TTY)/;
  const held = process.getActiveResourcesInfo().filter((name) => kept.test(name));
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  return {held: held.sort(), listeners, files: await readdir(temporary).catch(() => [])};
}

await using test = await createTestKernel({
  variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  plugins: ['settings', 'trust', 'env', 'network', 'secrets', 'workspace', 'filesystem', 'policy'].map(pluginRoot),
});
const {kernel} = test;
const all = await Promise.all(
  places.map((place, index) =>
    Promise.all(
      Array.from({length: sessions}, (_, number) =>
        live(kernel, place, `${index}-${number}`, createRandom(seed + index * 1000 + number)),
      ),
    ),
  ),
);
const outcomes = all.map((lives) => lives.map((one) => one.outcomes));

// The last place stays open while the others close; what is held afterwards is what the last one alone holds.
const [first = [], ...others] = all;
const stays = others.at(-1) ?? first;
for (const {session} of all.flat()) if (!stays.some((one) => one.session === session)) await session.close();
const after = await countHeld(test.kernel.environment.temporary);
const again = await stays[0]?.session.service('network').then((network) => network.fetch('http://service.example/on'));
const still = await again?.text();
process.stdout.write(JSON.stringify({outcomes, after, still}));
