import {spawn, type ChildProcess} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {KernelError} from '@gemini-kernel/kernel';
import {killGroup, ownUser} from '../host-process.js';
import {findCompanion, type FoundCompanion} from './find-companion.js';

export interface Launching {
  readonly command: readonly string[];
  readonly directory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** How long it may take to write its discovery file. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** A companion that was started for a check, with its own temporary folder. */
export interface Launched extends FoundCompanion {
  /** Asks it to end, and reports whether it did in time. */
  stop(): Promise<boolean>;
  /** Kills it if necessary, and removes its folder. */
  [Symbol.asyncDispose](): Promise<void>;
}

const LOOK_MS = 25;
const END_MS = 5_000;
/** How much of its output an error repeats. */
const TAIL = 2_000;

/**
 * Starts a companion and waits for its discovery file. Throws KernelError COMPANION_SILENT when it ends first, or takes
 * too long.
 */
export async function launchCompanion(launching: Launching): Promise<Launched> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-companion-'));
  const running = start(launching, folder);
  const dispose = async (): Promise<void> => {
    killGroup(running.child);
    await running.end;
    await rm(folder, {recursive: true, force: true, maxRetries: 3});
  };
  try {
    return {
      ...(await waitForFile(launching, running, folder)),
      stop: () => stopGently(running),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface Running {
  readonly child: ChildProcess;
  /** Resolves with how it ended. */
  readonly end: Promise<string>;
  said(): string;
}

function start({command: [program = '', ...args], directory, variables}: Launching, folder: string): Running {
  const child = spawn(program, args, {
    cwd: directory,
    env: {...variables, TMPDIR: folder, TEMP: folder, TMP: folder},
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // A process group of its own, so that all of it can be ended.
    detached: ownUser() !== undefined,
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-TAIL);
    });
  }
  const end = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === null ? `signal ${signal}` : `exit code ${code}`));
  });
  return {child, end, said: () => tail.trim()};
}

async function waitForFile(
  {command, patienceMs, signal}: Launching,
  {end, said}: Running,
  folder: string,
): Promise<FoundCompanion> {
  let ended: string | undefined;
  void end.then((how) => {
    ended = how;
  });
  const until = Date.now() + patienceMs;
  const name = command.join(' ');
  for (;;) {
    const found = await findCompanion(folder);
    if (found) return found;
    const hint =
      said() === ''
        ? `A companion writes gemini/ide/gemini-ide-server-<pid>-<port>.json below the temporary folder (TMPDIR).`
        : `Its output: ${said()}`;
    if (ended !== undefined)
      throw new KernelError('COMPANION_SILENT', `${name} ended (${ended}) before it wrote its discovery file.`, {hint});
    if (Date.now() > until)
      throw new KernelError(
        'COMPANION_SILENT',
        `${name} wrote no complete discovery file with a port within ${patienceMs / 1000} s.`,
        {hint},
      );
    await setTimeout(LOOK_MS, undefined, {signal}).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }
}

async function stopGently({child, end}: Running): Promise<boolean> {
  const late = new AbortController();
  child.kill('SIGTERM');
  try {
    return await Promise.race([end.then(() => true), setTimeout(END_MS, false, {signal: late.signal})]);
  } finally {
    late.abort();
  }
}
