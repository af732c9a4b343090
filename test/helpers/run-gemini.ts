import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {checkout} from './plugin-root.js';

export interface RunOptions {
  readonly cwd: string;
  /** Stands for the person's home; nothing of the real one is seen. */
  readonly home: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Standard input; without it there is none. */
  readonly input?: string;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a run that sees only `home`. The folder is trusted, unless a test is about that. */
export function isolate(home: string, variables: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {...newcomerVariables(home), GEMINI_CLI_TRUST_WORKSPACE: 'true', ...variables};
}

/** The environment of a person who has set nothing and trusted nothing, for runs of the documentation. */
export function newcomerVariables(home: string): Record<string, string> {
  return {PATH: process.env['PATH'] ?? '', HOME: home, USERPROFILE: home, LANG: 'C.UTF-8'};
}

/** Runs the real program as its own process and waits for its end. Rejects when Node itself warns of something. */
export function runGemini(args: readonly string[], {cwd, home, variables, input}: RunOptions): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...args], {
      cwd,
      env: isolate(home, variables),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const [stdout, stderr] = [Buffer.concat(out).toString(), Buffer.concat(err).toString()];
      const warning = /^\(node:\d+\).*/m.exec(stderr)?.[0];
      if (warning) reject(new Error(`gemini ${args.join(' ')} made Node warn: ${warning}`));
      else resolve({code, stdout, stderr});
    });
    // The program may have read enough.
    child.stdin?.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || reject(error));
    child.stdin?.end(input);
  });
}
