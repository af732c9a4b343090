import {keyCommands, type KeyCommand, type KeyPlace} from './key-commands.js';

/** Which keys do what: the standard ones, unless others are given. In one place, a key belongs to one command. */
export class KeyBindings {
  readonly #acts = new Map<string, string>();

  constructor(readonly commands: readonly KeyCommand[] = keyCommands()) {
    for (const {place, act, keys} of commands) for (const key of keys) this.#acts.set(`${place} ${key}`, act);
  }

  /** What a key does in a place. */
  actOf(place: KeyPlace, key: string): string | undefined {
    return this.#acts.get(`${place} ${key}`);
  }

  /** The keys of a command of the prompt, or of a running tool. */
  keysOf(name: string): readonly string[] {
    const isOf = ({place}: KeyCommand): boolean => place === 'prompt' || place === 'running' || place === 'history';
    return this.commands.find((one) => one.name === name && isOf(one))?.keys ?? [];
  }
}
