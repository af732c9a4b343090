import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {expect} from '@jest/globals';
import {callsTools, dialects, openAgentPlace, says} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';
import {checkout} from '../helpers/plugin-root.js';
import {onPosix} from '../helpers/where.js';

const serverFile = join(checkout, 'test', 'fixtures', 'mcp', 'server.mjs');

/** A program that has a helper, hears no request to end and no end of its input, and notes the ids of both. */
const stay = [
  'trap "" TERM HUP INT',
  `sh -c 'echo $$ >>"$0"; while :; do sleep 0.2; done' "$1" >/dev/null 2>&1 &`,
  'echo $$ >>"$1"',
  'while :; do sleep 0.2; done',
].join('\n');

const rules = [
  '[[safety_checker]]',
  'toolName = "*"',
  'priority = 900',
  '[safety_checker.checker]',
  'type = "external"',
  'name = "gate"',
].join('\n');

async function readPids(files: readonly string[]): Promise<readonly number[][]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.map((text) => [...text.matchAll(/^(?:start |helper )?(\d+)$/gm)].map(([, pid]) => Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function until(holds: () => Promise<boolean> | boolean, state: () => Promise<string> | string): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${await state()}`);
    await delay(10);
  }
}

const cases = [
  ['hook', 'SIGKILL'],
  ['checker', 'SIGKILL'],
  ['hook', 'SIGTERM'],
  ['checker', 'SIGTERM'],
] as const;

for (const [running, signal] of cases)
  onPosix(`a ${running}, a server and what a hook left end with gemini at ${signal} [processes.end]`, async () => {
    const [dialect] = dialects;
    if (!dialect) throw new Error('There is a dialect.');
    await using place = await openAgentPlace({
      dialect,
      script: [callsTools(['read_file', {file_path: 'a.txt'}]), says('Done.')],
      files: {
        'a.txt': 'one\n',
        '../stay.sh': stay,
        ...(running === 'checker' ? {'../home/.gemini/policies/gate.toml': rules} : {}),
      },
    });
    const beside = (name: string): string => join(place.home, '..', name);
    const notes = [running, 'server', 'left'].map((name) => beside(`${name}.pids`));
    const command = (name: string): string => `sh '${beside('stay.sh')}' '${beside(`${name}.pids`)}'`;
    const hooks = {
      SessionStart: [{hooks: [{type: 'command', command: `${command('left')} >/dev/null 2>&1 </dev/null &`}]}],
      BeforeTool: [{hooks: [{type: 'command', command: running === 'hook' ? command('hook') : 'true'}]}],
    };
    const server = [serverFile, `notes=${beside('server.pids')}`, 'leave-helper', 'stubborn=1'];
    const settings = {
      security: {checkers: {gate: {command: 'sh', args: [beside('stay.sh'), beside('checker.pids')]}}},
      mcpServers: {one: {command: process.execPath, args: server}},
      hooks,
    };
    await writeFile(join(place.home, '.gemini', 'settings.json'), JSON.stringify(settings));
    const words = ['-m', dialect.model, '-p', 'Read a.txt.'];
    const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
      cwd: place.project,
      env: isolate(place.home, dialect.variables(place.server.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(child, 'exit');
    const counts = async (): Promise<readonly number[]> => (await readPids(notes)).map((pids) => pids.length);
    await until(
      async () => (await counts()).every((count) => count >= 2),
      async () => `${JSON.stringify(await counts())} run: ${said}`,
    );
    const pids = (await readPids(notes)).flat();
    expect(pids.filter(isAlive)).toEqual(pids);
    child.kill(signal);
    await ended;
    await until(
      () => !pids.some(isAlive),
      () => `${pids.filter(isAlive).join(', ')} of ${JSON.stringify(pids)} live`,
    );
  });
