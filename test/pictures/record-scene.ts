import {spawn} from 'node:child_process';
import {chmod, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {ModelEvent} from '@gemini-kernel/plugin-agent/contract';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';
import {PROMPT} from '../helpers/sit-at-gemini.js';
import {normalise, SHOWN_HOME} from './normalise.js';
import type {Answer, Keys, Scene} from './read-scenes.js';
import {Screen} from './screen.js';

const MOST_MS = 15_000;
const MODEL = 'gemini-3.1-pro-preview';

interface Home {
  readonly path: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A folder whose path is exactly as long as the one that a picture shows. */
async function makeHome(): Promise<Home> {
  for (;;) {
    const letters = Math.floor(Math.random() * 36 ** 4)
      .toString(36)
      .padStart(4, '0');
    const path = `/tmp/${letters}`;
    if (path.length !== SHOWN_HOME.length) throw new Error(`${path} is not as long as ${SHOWN_HOME}.`);
    try {
      await mkdir(path, {mode: 0o700});
      return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function toEvents({text, tool, input = {}}: Answer, index: number): readonly ModelEvent[] {
  return [
    ...(text === undefined ? [] : [{kind: 'text' as const, text: `${text}\n`}]),
    ...(tool === undefined ? [] : [{kind: 'call' as const, id: `call-${index}`, name: tool, input}]),
    {kind: 'end', reason: 'stop', model: MODEL},
  ];
}

async function fillHome(home: string, {files, answers}: Scene): Promise<void> {
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(home, path)), {recursive: true});
    await writeFile(join(home, path), text, {mode: 0o600});
  };
  const recording = join(home, '.answers.jsonl');
  const lines = answers.map((answer, index) =>
    JSON.stringify({method: 'stream', model: MODEL, response: toEvents(answer, index)}),
  );
  await write('.answers.jsonl', lines.map((line) => `${line}\n`).join(''));
  await write(
    '.gemini/settings.json',
    JSON.stringify({ui: {mode: 'console'}, model: {name: MODEL, fakeResponses: recording}}),
  );
  for (const [path, text] of Object.entries(files)) await write(path, text);
  await mkdir(join(home, 'project'), {recursive: true});
  const program = join(home, '.bin', 'gemini');
  await write('.bin/gemini', `#!/bin/sh\nexec "${process.execPath}" "${join(checkout, 'bin', 'gemini.cjs')}" "$@"\n`);
  await chmod(program, 0o700);
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A script for a shell that shows each command as a person types it, and runs it. */
function toScript({columns, rows, prepare, show}: Scene): string {
  const shown = show.map((command, index) => {
    const prompt = `${index > 0 ? '\n' : ''}\u001b[32m$\u001b[39m \u001b[1m${command}\u001b[22m\n`;
    return `printf %s ${quote(prompt)}\n${command}`;
  });
  return [
    `stty cols ${columns} rows ${rows}`,
    ...prepare.map((command) => `{ ${command}\n} >/dev/null 2>&1 || echo "PREPARING FAILED"`),
    ...shown,
  ].join('\n');
}

interface Sitting {
  readonly home: string;
  readonly script: string;
  readonly keys: readonly Keys[];
}

/** Runs a script at a real terminal, made by script(1), and types; gives all that the terminal was written. */
function sit({home, script, keys}: Sitting): Promise<string> {
  const path = `${join(home, '.bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', script, '/dev/null'], {
      cwd: join(home, 'project'),
      // Without a key a start is the tour; the recording answers in the place of the model.
      env: isolate(home, {
        PATH: path,
        TERM: 'xterm-256color',
        SHELL: '/bin/sh',
        TZ: 'UTC',
        GEMINI_API_KEY: 'a-key-that-no-server-sees',
      }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
    const left = [...keys];
    let [output, seen] = ['', 0];
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (let next = left[0]; next; next = left[0]) {
        const wanted = next.at === 'prompt' ? PROMPT : next.at;
        const at = output.indexOf(wanted, seen);
        if (at < 0) return;
        seen = at + wanted.length;
        child.stdin.write(next.type);
        left.shift();
      }
    });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      const failed = child.signalCode !== null || left.length > 0 || output.includes('PREPARING FAILED');
      if (!failed) resolve(output);
      else
        reject(new Error(`Typed ${keys.length - left.length} of ${keys.length} keys of:\n${JSON.stringify(output)}`));
    });
  });
}

/** Runs a scene with the real program in a home of its own, and gives the screen at its end. */
export async function recordScene(scene: Scene): Promise<Screen> {
  await using home = await makeHome();
  await fillHome(home.path, scene);
  const {version} = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as {version: string};
  const output = await sit({home: home.path, script: toScript(scene), keys: scene.keys});
  const screen = new Screen(scene.columns, scene.rows);
  screen.write(normalise(output, {home: home.path, version}));
  return screen;
}
