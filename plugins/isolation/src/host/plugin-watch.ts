import {capabilityOf, findUndeclared, includesCapability} from '@gemini-kernel/kernel/host';
import type {Touch} from '@gemini-kernel/kernel';
import type {CallNote} from '@gemini-kernel/plugin-doctor/contract';
import type {ExitConnection} from '@gemini-kernel/plugin-sandbox/contract';
import type {PluginRecord, PluginUse, RemoteRequest} from '../contract.js';
import type {UseLog} from '../uses/use-log.js';
import type {Watched} from '../wire/watched.js';
import type {PluginProcess} from './plugin-process.js';
import {memoryOf} from './process-memory.js';

type Counted = Partial<Pick<PluginRecord, 'starts' | 'calls' | 'busyMs' | 'peakBytes' | 'deaths' | 'lastDeath'>>;

const MOST_REFUSED = 20;

/** Notes what one plugin uses and is refused, as gemini and the process of the plugin see it. */
export class PluginWatch {
  readonly #refused: string[] = [];
  #count = 0;

  constructor(
    private readonly log: UseLog,
    private readonly manifest: RemoteRequest['plugin']['manifest'],
    private readonly host: {
      readonly home: string;
      /** Adds to a call of the journal, where there is one, what a process did about it. Never rejects. */
      noteCall(call: string, note: CallNote): Promise<void>;
      /** What was granted for one call only ends with it. */
      endCall(call: string): void;
    },
  ) {}

  note(what: string, outcome: PluginUse['outcome'], seenBy: PluginUse['seenBy'] = 'gemini', count = 1): void {
    const {name, version} = this.manifest;
    this.log.note(name, version, {what, outcome, seenBy, count});
    if (outcome !== 'refused') return;
    this.#count += 1;
    this.#refused.push(what);
    if (this.#refused.length > MOST_REFUSED) this.#refused.shift();
  }

  count(counted: Counted): void {
    const {name, version} = this.manifest;
    this.log.count(name, version, counted);
  }

  /** What the process says. */
  take(watched: readonly Watched[]): void {
    for (const {what, outcome, count} of watched) this.note(what, outcome, 'process', count);
  }

  /** What the exit of its network saw. */
  connected({host, port, isUngranted}: ExitConnection): void {
    const what = `net:${host}`;
    const {capabilities = [], optional = []} = this.manifest;
    const declared = [...capabilities, ...optional].find((one) => includesCapability(one, `${what}:${port}`));
    this.note(isUngranted ? `${what}:${port}` : (declared ?? what), isUngranted ? 'refused' : 'used');
  }

  /** What a tool of it says that it will touch, as far as that is refused for what the plugin declares. */
  touched(touches: unknown): void {
    if (!Array.isArray(touches)) return;
    const {capabilities = [], optional = []} = this.manifest;
    const undeclared = findUndeclared(touches as readonly Touch[], [...capabilities, ...optional], this.host.home);
    if (undeclared) this.note(wishOf(undeclared), 'refused');
  }

  /** Does a call, and tells the journal what its process did: how long, with how much memory, and what was refused. */
  async during<T>(call: string, process: Pick<PluginProcess, 'pid' | 'starts'>, act: () => Promise<T>): Promise<T> {
    const [refusals, began] = [this.#count, performance.now()];
    try {
      return await act();
    } finally {
      const ms = performance.now() - began;
      const {name: plugin} = this.manifest;
      const said = this.#say(process, this.#refusedSince(refusals));
      this.host.endCall(call);
      await this.host.noteCall(call, {plugin, at: 'process', name: plugin, said, ms});
    }
  }

  #say({pid, starts}: Pick<PluginProcess, 'pid' | 'starts'>, refused: readonly string[]): string {
    const memory = pid === undefined ? undefined : memoryOf(pid).now;
    return [
      pid === undefined ? 'its process ended' : `process ${pid} (start ${starts})`,
      ...(memory === undefined ? [] : [`${(memory / 1e6).toFixed(0)} MB`]),
      ...(refused.length > 0 ? [`refused: ${refused.join(' ')}`] : []),
    ].join(', ');
  }

  /** The newest ones after the first `before`. */
  #refusedSince(before: number): readonly string[] {
    const fresh = Math.min(this.#count - before, this.#refused.length);
    return fresh <= 0 ? [] : [...new Set(this.#refused.slice(-fresh))];
  }
}

function wishOf(touch: Touch): string {
  const capability = capabilityOf(touch);
  return touch.kind === 'path' ? `${capability}:${touch.value}` : capability;
}
