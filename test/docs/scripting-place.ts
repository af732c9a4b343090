import {spawn} from 'node:child_process';
import {chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import type {ModelEvent} from '@gemini-kernel/plugin-agent/contract';
import {checkout} from '../helpers/plugin-root.js';
import {newcomerVariables, type RunResult} from '../helpers/run-gemini.js';

/** What a recorded model says to one request. */
export type Said = readonly ModelEvent[];

const usage = {input: 1000, output: 100, cached: 0, thoughts: 0, tool: 0, total: 1100};

/** An answer that is text. */
export function says(text: string): Said {
  return [
    {kind: 'text', text},
    {kind: 'usage', usage},
    {kind: 'end', reason: 'stop'},
  ];
}

/** An answer that calls one tool. */
export function calls(name: string, input: object): Said {
  return [
    {kind: 'call', id: name, name, input},
    {kind: 'usage', usage},
    {kind: 'end', reason: 'stop'},
  ];
}

/** A repository, a home with a recorded model, and the programs of a page of scripts. */
export interface ScriptingPlace {
  readonly project: string;
  readonly home: string;
  run(script: string): Promise<RunResult>;
  read(path: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Setup {
  readonly files: Readonly<Record<string, string>>;
  readonly answers: readonly Said[];
}

// What stands behind the image is run here, with the variables that the container would have.
const DOCKER = `#!/bin/sh
while test "$1" != my-image; do
  case $1 in GEMINI_CLI_HOME=*) export GEMINI_CLI_HOME="$HOME/empty" ;; esac
  shift
done
shift
mkdir -p "$HOME/empty/.gemini"
cp "$HOME/.gemini/settings.json" "$HOME/empty/.gemini/"
exec "$@"
`;

/** Makes one: a git repository with these files committed, and \`gemini\` on the PATH. */
export async function openScriptingPlace({files, answers}: Setup): Promise<ScriptingPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-scripts-')));
  const [home, bin] = [join(root, 'home'), join(root, 'bin')];
  const project = join(home, 'project');
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, text);
  };
  const recording = join(root, 'answers.jsonl');
  await write(
    recording,
    answers.map((response) => `${JSON.stringify({method: 'stream', model: 'm', response})}\n`).join(''),
  );
  const prices = {'gemini-3.1-pro-preview': {input: 1, output: 1}};
  await write(
    join(home, '.gemini', 'settings.json'),
    JSON.stringify({model: {fakeResponses: recording, fallback: [], prices}}),
  );
  await write(join(home, '.gitconfig'), '[user]\nname = Dev\nemail = dev@example.com\n[init]\ndefaultBranch = main\n');
  for (const [path, text] of Object.entries(files)) await write(join(project, path), text);
  await write(
    join(bin, 'gemini'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(checkout, 'bin', 'gemini.cjs')}" "$@"\n`,
  );
  await write(join(bin, 'docker'), DOCKER);
  for (const program of ['gemini', 'docker']) await chmod(join(bin, program), 0o755);
  const path = [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const run = (script: string): Promise<RunResult> =>
    runShell(script, {cwd: project, env: {...newcomerVariables(home), PATH: path, GIT_CONFIG_NOSYSTEM: '1'}});
  await run('git init --quiet && git add . && git commit --quiet --allow-empty -m first');
  return {
    project,
    home,
    run,
    read: (name) => readFile(join(project, name), 'utf8'),
    [Symbol.asyncDispose]: () => rm(root, {recursive: true, force: true}),
  };
}

function runShell(
  script: string,
  options: {readonly cwd: string; readonly env: Record<string, string>},
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', script, 'sh', 'message'], {...options, stdio: ['ignore', 'pipe', 'pipe']});
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString()}),
    );
  });
}
