import {messageOf, type ServiceContext} from '@gemini-kernel/kernel';
import type {PluginRecord} from '../contract.js';
import type {KeptRecords} from './kept-records.js';
import {addUse, emptyRecord, mergeRecords, type Seen} from './use-record.js';

const WRITE_MS = 2000;

type Counted = Partial<Pick<PluginRecord, 'starts' | 'deaths' | 'calls' | 'busyMs' | 'peakBytes' | 'lastDeath'>>;

/** Notes what plugins use and are refused, and adds it to what is kept, a few seconds later and at the end. */
export class UseLog {
  readonly #changes = new Map<string, PluginRecord>();
  #kept: Promise<KeptRecords> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly home: string,
    private readonly tell: ServiceContext['tell'],
  ) {}

  note(plugin: string, version: string, seen: Seen): void {
    this.#change(plugin, version, (record, now) => addUse(record, seen, now));
  }

  count(plugin: string, version: string, counted: Counted): void {
    this.#change(plugin, version, (record, now) =>
      mergeRecords(record, {...emptyRecord(plugin, version, now), ...counted}),
    );
  }

  async read(plugin?: string): Promise<readonly PluginRecord[]> {
    await this.flush();
    return (await this.#open()).read(plugin);
  }

  /** Keeps everything that was noted so far. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  async #write(): Promise<void> {
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    if (changes.length === 0) return;
    try {
      const kept = await this.#open();
      for (const change of changes) await kept.add(change);
    } catch (error) {
      this.tell({
        code: 'USES_NOT_KEPT',
        once: 'uses',
        sentence: `Cannot keep what plugins use, so gemini plugins audit will not show it: ${messageOf(error)}`,
      });
    }
  }

  /** Not before something is to be kept: the first answer of a plugin does not wait for it. */
  #open(): Promise<KeptRecords> {
    return (this.#kept ??= import('./kept-records.js').then(({KeptRecords: Kept}) => new Kept(this.home)));
  }

  #change(plugin: string, version: string, act: (record: PluginRecord, now: number) => PluginRecord): void {
    const now = Date.now();
    const known = this.#changes.get(plugin);
    const before = known?.version === version ? known : emptyRecord(plugin, version, now);
    this.#changes.set(plugin, act(before, now));
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_MS).unref();
  }
}
