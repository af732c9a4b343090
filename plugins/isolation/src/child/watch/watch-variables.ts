import process from 'node:process';
import type {Watching} from '../../wire/watched.js';
import type {Noted} from './noted.js';

/** Notes which of the variables that the plugin declares are read. No other is there. */
export function watchVariables({variables}: Watching, noted: Noted): void {
  if (variables.length === 0) return;
  const names = new Set(variables);
  process.env = new Proxy(process.env, {
    get(target, name) {
      if (typeof name === 'string' && names.has(name)) noted.add(`env:${name}`, 'used');
      return Reflect.get(target, name) as string | undefined;
    },
    // With another receiver Node would not take it.
    set: (target, name, value) => Reflect.set(target, name, value),
  });
}
