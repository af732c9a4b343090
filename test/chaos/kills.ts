import {execFileSync, type ChildProcess} from 'node:child_process';
import {setTimeout} from 'node:timers/promises';
import type {QueueServer} from '../helpers/queue-servers.js';

export interface Kills {
  coordinator: number;
  worker: number;
  server: number;
}

export interface Killing {
  readonly everyMs: number;
  /** The server of the queue, where there is one. */
  readonly server?: QueueServer | undefined;
  readonly signal: AbortSignal;
}

/** How long a server that was killed is away. */
const AWAY_MS = 500;

/** Kills a worker, the server or the fleet, until it was the fleet or it has ended. */
export async function killNowAndThen(fleet: ChildProcess, kills: Kills, killing: Killing): Promise<void> {
  const {everyMs, server, signal} = killing;
  for (;;) {
    await setTimeout(everyMs * (0.5 + Math.random()), undefined, {signal}).catch(() => undefined);
    if (signal.aborted || fleet.pid === undefined) return;
    const [workers, chance] = [childrenOf(fleet.pid), Math.random()];
    const worker = workers[Math.floor(Math.random() * workers.length)];
    if (server && chance > 0.8) {
      kills.server += 1;
      await server.kill();
      await setTimeout(AWAY_MS);
      await server.start();
    } else if (worker === undefined || chance < 0.3) {
      kills.coordinator += 1;
      fleet.kill('SIGKILL');
      return;
    } else {
      kills.worker += 1;
      killIfThere(worker);
    }
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The runs of this program that a process has started. */
export function childrenOf(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], {encoding: 'utf8'});
  return table.split('\n').flatMap((line) => {
    const [, child, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === pid && args.includes('gemini.cjs') ? [Number(child)] : [];
  });
}
