import {spawn, type ChildProcessByStdio} from 'node:child_process';
import {once} from 'node:events';
import {platform} from 'node:process';
import type {Readable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import {messageOf} from '@gemini-kernel/kernel';
import {EngineRefused} from '../engine/engine.js';
import {comparePaths} from '../engine/path-order.js';
import {untilAborted} from '../until-aborted.js';

export interface RgStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly paths: readonly string[];
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** How long other work may have to wait. */
const SLICE_MS = 8;
/** Complaints longer than this are of no use to anybody. */
const MOST_COMPLAINTS = 1_000_000;
/**
 * A gigabyte of memory of its own: the program follows a link at `.gitignore`, to an endless device too. Where it ends
 * for that, the other engine reads the rules, and reads no such file.
 */
const BOUNDED = ['/bin/sh', '-c', 'ulimit -d 1048576; exec "$0" "$@"'];
/** What vanished, or became a file, while the program was on its way there. */
const GONE = new Set(['2', '20', '3']);

/**
 * Runs the program and gives its output to `take`, a piece at a time, until `take` returns true. Returns the
 * paths it could not read. Throws EngineRefused if the program rejects its arguments.
 */
export async function runRg(
  {program, args, paths, directory, signal}: RgStart,
  take: (chunk: Buffer) => Promise<boolean>,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const child = startRg({program, args, paths, directory});
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  // A program that does not start fails at once, and its output is awaited before its end is.
  ended.catch(() => undefined);
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, {once: true});
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaints.length < MOST_COMPLAINTS) complaints += text;
  });
  try {
    const isEnough = await readOutput(child.stdout, {signal, take});
    if (isEnough) kill();
    const [code, killedBy] = await ended;
    signal.throwIfAborted();
    const {unreadable, others} = readComplaints(complaints);
    if (isEnough) return unreadable;
    if (killedBy !== null || ![0, 1, 2].includes(code ?? -1))
      throw new EngineRefused(`${program} ended by ${killedBy ?? `exit code ${code}`}. ${others.join(' ')}`);
    if (others.length > 0) throw new EngineRefused(others.join('\n'));
    return unreadable;
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn'))
      throw new EngineRefused(`${program} does not start: ${messageOf(error)}`, {cause: error});
    throw error;
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    // After a failure nothing else waits for its end; a failure to start is reported there as an error.
    await ended.catch(() => undefined);
  }
}

interface Reading {
  readonly signal: AbortSignal;
  take(chunk: Buffer): Promise<boolean>;
}

/** Gives output to `take`, with pauses for other work, until that says true for enough; says whether it did. */
async function readOutput(output: Readable, {signal, take}: Reading): Promise<boolean> {
  let rested = performance.now();
  for await (const chunk of output) {
    signal.throwIfAborted();
    // Who judges what was found may never answer.
    if (await untilAborted(signal, () => take(chunk as Buffer))) return true;
    if (performance.now() - rested < SLICE_MS) continue;
    // Pieces that wait already come without a pause between them.
    await setImmediate();
    rested = performance.now();
  }
  return false;
}

function startRg({
  program,
  args,
  paths,
  directory,
}: Omit<RgStart, 'signal'>): ChildProcessByStdio<null, Readable, Readable> {
  try {
    const [file, ...words] = [...(platform === 'linux' ? BOUNDED : []), program, ...args, '--', ...paths];
    const options = {cwd: directory, env: {}, windowsHide: true} as const;
    return spawn(file ?? program, words, {...options, stdio: ['ignore', 'pipe', 'pipe']});
  } catch (error) {
    // Such as more arguments than the system takes: ignore files can be long.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new EngineRefused(`${program} does not start: ${messageOf(error)}`, {cause: error});
  }
}

/** The program says one thing per line, but for names with line ends. */
function readComplaints(text: string): {readonly unreadable: readonly string[]; readonly others: readonly string[]} {
  const unreadable = new Set<string>();
  const others: string[] = [];
  let pending = '';
  const take = (complaint: string): boolean => {
    const [, path, code] = /^(?:rg: )?(.*): [^:]* \(os error (\d+)\)$/s.exec(complaint) ?? [];
    if (path !== undefined && !GONE.has(code ?? '')) unreadable.add(path);
    return path !== undefined;
  };
  for (const line of text.split('\n')) {
    // Paths are absolute, so where one begins what was before has ended.
    const isNew = /^(?:rg: )?(?:\/|[A-Za-z]:[\\/])/.test(line);
    if (isNew && pending !== '') others.push(pending);
    pending = isNew || pending === '' ? line : `${pending}\n${line}`;
    if (take(pending)) pending = '';
  }
  return {
    unreadable: [...unreadable].sort(comparePaths),
    others: [...others, pending].map((one) => one.trim()).filter((one) => one !== ''),
  };
}
