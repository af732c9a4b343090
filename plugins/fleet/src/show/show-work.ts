import {makeVisible} from '@gemini-kernel/command/visible';
import type {Counts, QueueEngine} from '../contract.js';
import type {FleetTask} from '../plan/make-tasks.js';
import type {LaneWatch} from '../work/lane.js';
import {tally} from './describe.js';
import {describeFault, labelOf, LiveTable} from './live-table.js';

interface Showing {
  readonly engine: QueueEngine;
  readonly address: string;
  readonly output: NodeJS.WritableStream;
  /** A table that is drawn again and again; else a line for each task. */
  readonly isLive: boolean;
  print(line: string): void;
  style(kind: 'good' | 'bad' | 'warn' | 'dim', text: string): string;
}

const DRAW_MS = 500;

/** Shows what workers do. `close` ends it. */
export function showWork(showing: Showing): LaneWatch & {close(): void} {
  const {engine, address, output, isLive, print, style} = showing;
  const table = new LiveTable(output, (text) => makeVisible(text, false));
  let counts: Counts | undefined;
  const look = async (): Promise<void> => {
    counts = await engine.counts(address);
    if (isLive && isOpen) table.draw(counts);
  };
  // What cannot be asked now is shown at the next look.
  const timer = setInterval(() => void look().catch(() => undefined), DRAW_MS);
  let isOpen = true;
  return {
    onStart: (worker, claim) => table.start(worker, claim),
    onProgress: (worker, _, progress) => table.progress(worker, progress),
    onEnd(worker, {id, task}, {state, fault}) {
      table.end(worker);
      const kind = state === 'done' ? 'good' : state === 'waiting' ? 'warn' : 'bad';
      const reason = fault === undefined ? '' : `  ${describeFault(fault)}`;
      const word = (state === 'waiting' ? 'again' : state).padEnd(9);
      const label = labelOf(task.payload as FleetTask);
      const line = `${style(kind, word)} ${id.slice(0, 12)}  ${label}${reason}`;
      if (isLive) table.print(makeVisible(line, true));
      else print(counts === undefined ? line : `${line}  ${style('dim', `(${tally(counts)})`)}`);
    },
    close() {
      isOpen = false;
      clearInterval(timer);
      if (isLive) table.clear();
    },
  };
}
