import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {KEPT} from '../settings/isolation.js';

const MOST_ONCE = 100;

/** The optional capabilities that a person granted: for one call, until gemini ends, or kept in their settings. */
export class GivenGrants {
  readonly #whileRunning = new Map<string, Set<string>>();
  /** Calls that have one, the oldest first. */
  readonly #once = new Map<string, {readonly plugin: string; readonly capability: string}[]>();

  constructor(private readonly settings: () => Promise<Pick<Settings, 'getApart'>>) {}

  /** Of what a plugin declares as optional, what it has now. */
  async of(plugin: string, optional: readonly string[]): Promise<readonly string[]> {
    if (optional.length === 0) return [];
    const kept = await this.#kept();
    const own = this.#whileRunning.get(plugin);
    const once = [...this.#once.values()].flat().filter((one) => one.plugin === plugin);
    return optional.filter(
      (one) =>
        own?.has(one) === true || kept.includes(keptAs(plugin, one)) || once.some(({capability}) => capability === one),
    );
  }

  /** Whether a call needs no question. */
  async has(plugin: string, capability: string, call: string): Promise<boolean> {
    const once = this.#once.get(call) ?? [];
    return (
      this.#whileRunning.get(plugin)?.has(capability) === true ||
      once.some((one) => one.plugin === plugin && one.capability === capability) ||
      (await this.#kept()).includes(keptAs(plugin, capability))
    );
  }

  /** Grants it, for one call if that is given. */
  add(plugin: string, capability: string, call?: string): void {
    if (call === undefined) {
      this.#whileRunning.set(plugin, (this.#whileRunning.get(plugin) ?? new Set()).add(capability));
      return;
    }
    this.#once.set(call, [...(this.#once.get(call) ?? []), {plugin, capability}]);
    const [oldest] = this.#once.keys();
    if (this.#once.size > MOST_ONCE && oldest !== undefined) this.#once.delete(oldest);
  }

  /** Takes back what was granted for one call; says whether there was anything. */
  end(call: string): boolean {
    return this.#once.delete(call);
  }

  /** What the project says does not count. */
  async #kept(): Promise<readonly unknown[]> {
    const kept = await (await this.settings()).getApart(KEPT);
    return Array.isArray(kept) ? kept : [];
  }
}

/** How a grant stands in the settings. */
export function keptAs(plugin: string, capability: string): string {
  return `${plugin} ${capability}`;
}
