import type {ChildProcess} from 'node:child_process';
import {realpathSync} from 'node:fs';
import {argv, execPath} from 'node:process';
import type {Environment} from '@gemini-kernel/kernel';
import type {ProcessGroups} from '@gemini-kernel/processes';
import {EventLines, type RunEvents} from './event-lines.js';

export interface TaskRun {
  readonly words: readonly string[];
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly environment: Pick<Environment, 'variables'>;
  readonly groups: ProcessGroups;
  /** Ends it: asked first, then killed. */
  readonly signal: AbortSignal;
  /** Milliseconds after which it is ended. */
  readonly deadline: number;
  onEvents(events: RunEvents): void;
}

export interface RunEnd {
  readonly code: number;
  readonly events: RunEvents;
  /** The last line that it wrote to standard error. */
  readonly reason: string;
  readonly isLate: boolean;
}

/** How long a run may take to end once it was asked to: it writes down how far it came. */
const GRACE_MS = 1500;
/** The rest of an error that is longer is dropped. */
const LONGEST = 4000;

/** Runs this program for one task, as a process that ends with this one. */
export function runTask(run: TaskRun): Promise<RunEnd> {
  const {words, folder, variables, environment, groups, signal, deadline} = run;
  return new Promise((resolve, reject) => {
    const child = groups.start({
      file: execPath,
      args: [realpathSync(argv[1] ?? ''), ...words],
      cwd: folder,
      variables: {...defined(environment.variables), ...variables},
    });
    const lines = new EventLines();
    let [reason, isLate] = ['', false];
    child.stdin?.on('error', () => undefined).end();
    child.stdout?.on('data', (chunk: Buffer) => {
      if (lines.add(chunk)) run.onEvents(lines.events);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      reason = (reason + chunk.toString()).slice(-LONGEST);
    });
    const end = (): void => endSoon(child, groups);
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, deadline);
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code, killer) => {
      settle();
      const last = reason.trim().split('\n').at(-1) ?? '';
      resolve({code: code ?? 1, events: lines.end(), reason: killer ? `It was ended by ${killer}.` : last, isLate});
    });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, {once: true});
  });
}

function endSoon(child: ChildProcess, groups: ProcessGroups): void {
  groups.signal(child, 'SIGTERM');
  const timer = setTimeout(() => groups.signal(child, 'SIGKILL'), GRACE_MS);
  child.once('close', () => clearTimeout(timer));
}

function defined(variables: Environment['variables']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
