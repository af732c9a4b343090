import type {ChildProcess} from 'node:child_process';

const MOST = 2000;
const LINES = 5;

/** What a process printed last; everything before it is read and dropped. */
export class LastLines {
  #kept = '';

  constructor({stdout, stderr}: Pick<ChildProcess, 'stdout' | 'stderr'>) {
    for (const stream of [stdout, stderr]) {
      stream?.on('error', () => undefined);
      stream?.on('data', (chunk: Buffer) => {
        this.#kept = (this.#kept + chunk.subarray(-MOST).toString('utf8')).slice(-MOST);
      });
    }
  }

  /** On one line. */
  get text(): string {
    const lines = this.#kept.split('\n').map((line) => line.trim());
    return lines
      .filter((line) => line !== '')
      .slice(-LINES)
      .join(' | ');
  }
}
