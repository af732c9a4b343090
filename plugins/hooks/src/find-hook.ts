import {KernelError} from '@gemini-kernel/kernel';
import type {HookInfo} from './contract.js';

/** The hooks that a word names: by name, command, or the beginning of an id. Throws KernelError HOOK_UNKNOWN. */
export function findHooks<H extends HookInfo>(hooks: readonly H[], word: string): readonly H[] {
  const exact = hooks.filter(({id, name, command}) => [id, name, command].includes(word));
  const found = exact.length > 0 || word.length < 4 ? exact : hooks.filter(({id}) => id.startsWith(word));
  if (found.length > 0) return found;
  const names = [...new Set(hooks.map(({name}) => name))].slice(0, 10).join(', ');
  throw new KernelError('HOOK_UNKNOWN', `There is no hook ${JSON.stringify(word)}.`, {
    hint: names === '' ? 'Hooks are configured under `hooks` in settings.json.' : `Configured: ${names}.`,
  });
}
