import type {Claim, Counts, QueueFault} from '../contract.js';
import type {FleetTask} from '../plan/make-tasks.js';
import type {Progress} from '../work/attempt.js';
import {amount, tally, used} from './describe.js';

interface Shown {
  readonly label: string;
  readonly began: number;
  readonly attempt: number;
  progress: Progress;
  /** When it did something else than before. */
  moved: number;
}

/** A worker that has done nothing new for so long is shown as stuck. */
const STUCK_MS = 120_000;
const LABEL = 36;

/** What workers do, a line each, drawn again in place. */
export class LiveTable {
  readonly #workers = new Map<string, Shown>();
  readonly #began = performance.now();
  #ended = 0;
  #drawn = 0;

  constructor(
    private readonly output: NodeJS.WritableStream & {readonly columns?: number},
    private readonly visible: (text: string) => string,
  ) {}

  start(worker: string, claim: Claim): void {
    const now = performance.now();
    const label = labelOf(claim.task.payload as FleetTask);
    this.#workers.set(worker, {
      label,
      began: now,
      moved: now,
      attempt: claim.attempt,
      progress: {tokens: 0, reported: 0},
    });
  }

  progress(worker: string, progress: Progress): void {
    const shown = this.#workers.get(worker);
    if (!shown) return;
    const {doing, tokens} = shown.progress;
    if (doing !== progress.doing || tokens !== progress.tokens) shown.moved = performance.now();
    shown.progress = progress;
  }

  end(worker: string): void {
    this.#workers.delete(worker);
    this.#ended += 1;
  }

  /** A line that stays above the table. */
  print(line: string): void {
    this.#clear();
    this.output.write(`${line}\n`);
  }

  draw(counts: Counts): void {
    this.#clear();
    const width = Math.max(20, (this.output.columns ?? 80) - 1);
    const lines = [this.#head(counts), ...[...this.#workers].map(([name, shown]) => this.#line(name, shown))];
    this.output.write(lines.map((line) => `${this.visible(line).slice(0, width)}\n`).join(''));
    this.#drawn = lines.length;
  }

  clear(): void {
    this.#clear();
  }

  #clear(): void {
    if (this.#drawn > 0) this.output.write(`\u001b[${this.#drawn}A\u001b[J`);
    this.#drawn = 0;
  }

  #head(counts: Counts): string {
    const minutes = (performance.now() - this.#began) / 60_000;
    const rate = this.#ended === 0 ? '' : ` · ${(this.#ended / Math.max(minutes, 1 / 60)).toFixed(1)} a minute`;
    return `${tally(counts)} · ${used(counts)}${rate}`;
  }

  #line(name: string, {label, began, moved, attempt, progress: {doing = 'starts', tokens}}: Shown): string {
    const now = performance.now();
    const isStuck = now - moved > STUCK_MS;
    const parts = [
      ...[name.padEnd(4), label.padEnd(LABEL), seconds(now - began).padStart(6)],
      ...[`${amount(tokens)} tokens`.padStart(14), isStuck ? `stuck for ${seconds(now - moved)}` : doing],
      ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ];
    return `  ${parts.join('  ')}`;
  }
}

/** A task in a few words: its repository, or its row. */
export function labelOf({repository, row, prompt}: FleetTask): string {
  const [first = prompt] = Object.entries(row).flatMap(([name, value]) => (name === 'repository' ? [] : [value]));
  const name = repository
    ?.replace(/\.git$/, '')
    .split(/[/\\:]/)
    .at(-1);
  const label = name === undefined ? first : first === prompt ? name : `${name}: ${first}`;
  const line = label.replaceAll(/\s+/g, ' ');
  return line.length > LABEL ? `${line.slice(0, LABEL - 1)}…` : line;
}

export function describeFault({code, message}: QueueFault): string {
  return `${code}: ${message}`;
}

function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}`;
}
