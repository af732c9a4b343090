import {execFileSync, spawn, type ChildProcess} from 'node:child_process';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {SeenRequest, ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../../helpers/run-agent.js';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate} from '../../helpers/run-gemini.js';

/** A line of results, as far as tests look at it. */
export interface Line {
  readonly id: string;
  readonly row: Readonly<Record<string, string>>;
  readonly status: string;
  readonly attempts: number;
  readonly tokens: number;
  readonly files: readonly string[];
  readonly patch?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly base?: string;
  readonly repository?: string;
  readonly answer?: string;
  readonly error?: {readonly code: string};
  readonly refused: readonly {readonly tool: string}[];
}

/** Writes `new.txt` with the first call, then is done: 24 tokens. */
export const writes = ({messages}: SeenRequest): ScriptedAnswer =>
  messages.at(-1)?.pieces.some(({kind}) => kind === 'result')
    ? says('Done.')
    : callsTools(['write_file', {file_path: 'new.txt', content: 'made\n'}]);

/** A place with repositories `a`, `b` and `c`, and `repos.txt` that names them. */
export async function openFleet(options: AgentPlaceOptions = {}, names = ['a', 'b', 'c']): Promise<AgentPlace> {
  const place = await openAgentPlace({script: writes, ...options});
  for (const name of names) makeRepository(join(place.project, name), {'README.md': `# ${name}\n`});
  writeFileSync(join(place.project, 'repos.txt'), names.join('\n'));
  return place;
}

export function makeRepository(
  folder: string,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), {recursive: true});
    writeFileSync(join(folder, path), text);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', 'first');
}

export function git(folder: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, '-C', folder, ...args], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}

/** What a fleet over `repos.txt` is begun with; commands are not confined, since not every machine can. */
export const RUN = ['fleet', 'run', '--prompt', 'Write a file', '--over', 'repos.txt', '--model', 'model-a'];
export const OPEN = ['--yes', '--no-sandbox'];

/** Starts a fleet that a test kills, or parts of it. */
export function startFleet(
  place: AgentPlace,
  words: readonly string[],
): {readonly child: ChildProcess; readonly ended: Promise<number | null>} {
  const variables = {GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: place.server.url};
  const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
    cwd: place.project,
    env: isolate(place.home, variables),
    stdio: 'ignore',
  });
  return {child, ended: new Promise((resolve) => child.once('exit', resolve))};
}

export async function resultsOf(place: AgentPlace, name = 'repos'): Promise<readonly Line[]> {
  const text = await readFile(join(place.home, '.gemini', 'fleets', name, 'results.jsonl'), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}
