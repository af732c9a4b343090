import {capabilityOf, findUndeclared, includesCapability} from '@gemini-kernel/kernel/host';
import type {Touch} from '@gemini-kernel/kernel';
import type {ExitConnection} from '@gemini-kernel/plugin-sandbox/contract';
import type {PluginRecord, PluginUse, RemoteRequest} from '../contract.js';
import type {UseLog} from '../uses/use-log.js';
import type {Watched} from '../wire/watched.js';

type Counted = Partial<Pick<PluginRecord, 'starts' | 'calls' | 'busyMs' | 'peakBytes' | 'deaths' | 'lastDeath'>>;

const MOST_REFUSED = 20;

/** Notes what one plugin uses and is refused, as gemini and the process of the plugin see it. */
export class PluginWatch {
  readonly #refused: string[] = [];
  #count = 0;

  constructor(
    private readonly log: UseLog,
    private readonly manifest: RemoteRequest['plugin']['manifest'],
    private readonly home: string,
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
    const declared = this.manifest.capabilities?.find((one) => includesCapability(one, what));
    this.note(isUngranted ? `${what}:${port}` : (declared ?? what), isUngranted ? 'refused' : 'used');
  }

  /** What a tool of it says that it will touch, as far as that is refused for what the plugin declares. */
  touched(touches: unknown): void {
    if (!Array.isArray(touches)) return;
    const undeclared = findUndeclared(touches as readonly Touch[], this.manifest.capabilities ?? [], this.home);
    if (undeclared) this.note(wishOf(undeclared), 'refused');
  }

  /** How many refusals there have been. */
  get refusals(): number {
    return this.#count;
  }

  /** The newest ones after the first `before`. */
  refusedSince(before: number): readonly string[] {
    const fresh = Math.min(this.#count - before, this.#refused.length);
    return fresh <= 0 ? [] : [...new Set(this.#refused.slice(-fresh))];
  }
}

function wishOf(touch: Touch): string {
  const capability = capabilityOf(touch);
  return touch.kind === 'path' ? `${capability}:${touch.value}` : capability;
}
