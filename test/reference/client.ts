// Drives `gemini mcp serve` with Gemini CLI itself as the client, from npm, with a scripted model:
// npm run reference-client [-- <folder with an installed @google/gemini-cli>]
// It is installed into a temporary folder, and is no dependency of this program.
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../helpers/gemini-server.js';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, says} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';

const PACKAGE = '@google/gemini-cli@0.61.0';
const LIMIT_MS = 120_000;
const PROGRAM = join(checkout, 'bin', 'gemini.cjs');

interface Place {
  readonly home: string;
  readonly project: string;
  /** The address of the scripted model. */
  readonly model: string;
}

interface Case {
  readonly title: string;
  readonly script: Script;
  /** The entry of `mcpServers` for this program; `end` stops what it started. */
  serve(place: Place): Promise<{readonly entry: object; end?(): Promise<void>}>;
  /** Texts that the model must have seen in results, and a file that must be there. */
  readonly seen: readonly string[];
  readonly written?: string;
}

function overStdio(...words: readonly string[]): Case['serve'] {
  return async ({home, model}) => ({
    entry: {
      command: process.execPath,
      args: [PROGRAM, 'mcp', 'serve', ...words],
      env: isolate(home, {GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: model, GEMINI_MODEL: 'model-of-the-agent'}),
    },
  });
}

const TOKEN = 'token-of-the-reference-0123456789';

const overHttp: Case['serve'] = async ({home, project}) => {
  const file = join(home, 'token');
  await writeFile(file, TOKEN, {mode: 0o600});
  const child = spawn(process.execPath, [PROGRAM, 'mcp', 'serve', '--http', '--token-file', file], {
    cwd: project,
    env: isolate(home),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      const [found] = /http:\S+\/mcp/.exec((said += chunk.toString())) ?? [];
      if (found) resolve(found);
    });
    child.on('close', () => reject(new Error(said)));
  });
  const end = async (): Promise<void> => {
    child.kill();
    await once(child, 'close');
  };
  return {entry: {httpUrl: url, headers: {Authorization: `Bearer ${TOKEN}`}}, end};
};

const read = callsTools(['mcp_ours_read_file', {file_path: 'a.txt'}]);
const write = callsTools(['mcp_ours_write_file', {file_path: 'b.txt', content: 'beta\n'}]);
const cases: readonly Case[] = [
  {title: 'reads a file over stdio', serve: overStdio(), script: [read, says('Done.')], seen: ['alpha']},
  {title: 'reads a file over HTTP with a token', serve: overHttp, script: [read, says('Done.')], seen: ['alpha']},
  {
    title: 'is not offered what would need a question, because it cannot ask',
    serve: overStdio(),
    script: [write, says('Done.')],
    seen: ['not found'],
  },
  {
    title: 'writes a file where the person who configured the server allows it',
    serve: overStdio('--approval-mode', 'auto_edit'),
    script: [write, says('Done.')],
    seen: ['b.txt'],
    written: 'b.txt',
  },
  {
    title: 'gives a task to the agent',
    serve: overStdio('--face', 'agent'),
    script: [callsTools(['mcp_ours_agent_start', {prompt: 'Greet.'}]), says('Hello from the agent.'), says('Done.')],
    seen: ['Hello from the agent.'],
  },
];

async function run({script, serve, seen, written}: Case, program: string): Promise<string | undefined> {
  const root = await mkdtemp(join(tmpdir(), 'gemini-client-'));
  const server = await startGeminiServer({script});
  const place = {home: join(root, 'home'), project: join(root, 'project'), model: server.url};
  await Promise.all([mkdir(join(place.home, '.gemini'), {recursive: true}), mkdir(place.project)]);
  await writeFile(join(place.project, 'a.txt'), 'alpha\n');
  const {entry, end} = await serve(place);
  try {
    const settings = {
      security: {auth: {selectedType: 'gemini-api-key'}},
      privacy: {usageStatisticsEnabled: false},
      general: {enableAutoUpdate: false},
      mcpServers: {ours: {...entry, trust: true}},
    };
    await writeFile(join(place.home, '.gemini', 'settings.json'), JSON.stringify(settings));
    const variables = {GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: server.url};
    const {code, said} = await runClient(program, place, variables);
    const results = JSON.stringify(server.requests.map(({messages}) => messages));
    const missing = seen.filter((text) => !results.includes(text));
    if (code !== 0) return `it ended with ${code}: ${said}`;
    if (missing.length > 0) return `the model did not see ${missing.join(', ')}: ${said}`;
    if (written !== undefined && !existsSync(join(place.project, written))) return `there is no ${written}`;
    return undefined;
  } finally {
    await end?.();
    await server[Symbol.asyncDispose]();
    await rm(root, {recursive: true, force: true});
  }
}

async function runClient(
  program: string,
  {home, project}: Place,
  variables: Readonly<Record<string, string>>,
): Promise<{readonly code: unknown; readonly said: string}> {
  const child = spawn(process.execPath, [program, '-p', 'Do it.', '--yolo', '--model', 'gemini-2.5-flash'], {
    cwd: project,
    env: isolate(home, variables),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [unknown];
  return {code, said: said.slice(-1000)};
}

const [given] = process.argv.slice(2);
const folder = given ?? (await mkdtemp(join(tmpdir(), 'gemini-client-')));
let [passed, failed] = [0, 0];
try {
  if (given === undefined)
    execFileSync('npm', [
      'install',
      '--silent',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefix',
      folder,
      PACKAGE,
    ]);
  const root = join(folder, 'node_modules', '@google', 'gemini-cli');
  const {version, bin} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly bin: {readonly gemini: string};
  };
  for (const one of cases) {
    const fault = await run(one, join(root, bin.gemini));
    if (fault === undefined) passed += 1;
    else failed += 1;
    console.log(`Gemini CLI ${version} ${one.title}: ${fault ?? 'passes'}`);
  }
} finally {
  if (given === undefined) await rm(folder, {recursive: true, force: true});
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
