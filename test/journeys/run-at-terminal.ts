import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';
import {where} from '../helpers/where.js';

export interface Sitting {
  readonly cwd: string;
  /** The working directory, unless given. */
  readonly home?: string;
  readonly prompt: string;
  /** What is typed at the prompt, once. */
  readonly answer: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** The prompt of `gemini tools call`. */
export const PROMPT = '[N]o: ';

/**
 * script(1) of Linux takes the command as one line and gives back its exit code; that of other systems does neither.
 */
export const atTerminal = where(process.platform === 'linux', 'script(1) of Linux');

/** Runs the program at a real terminal, made by script(1), and types `answer` once the screen shows `prompt`. */
export function runAtTerminal(
  words: readonly string[],
  {cwd, home = cwd, prompt, answer, variables = {}}: Sitting,
): Promise<{code: number | null; screen: string}> {
  const line = [process.execPath, join(checkout, 'bin', 'gemini.cjs'), ...words]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd,
      env: {...isolate(home), TERM: 'xterm', SHELL: '/bin/sh', ...variables},
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let screen = '';
    let answered = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      if (answered || !screen.includes(prompt)) return;
      answered = true;
      child.stdin.write(answer);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({code, screen}));
  });
}
