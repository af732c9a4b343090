import {KernelError} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Hooks} from './contract.js';
import {findHooks} from './find-hook.js';

export interface Switched {
  /** Absent: all hooks. */
  readonly hook?: string;
  readonly enabled: boolean;
  readonly file: string;
}

interface Wish {
  readonly hook: string | undefined;
  readonly isAll: boolean;
  readonly isOn: boolean;
  readonly scope: 'user' | 'project';
}

/** Enables or disables one hook, or all. Throws KernelError HOOK_UNKNOWN. */
export async function switchHook(
  {hooks, settings}: {readonly hooks: Hooks; readonly settings: Settings},
  {hook, isAll, isOn, scope}: Wish,
): Promise<Switched> {
  if (hook === undefined ? !isAll : isAll)
    throw new KernelError('HOOK_UNKNOWN', 'Name one hook, or give --all.', {hint: 'See `gemini hooks list`.'});
  if (hook === undefined) {
    const {path} = await settings.set('hooksConfig.enabled', isOn, {scope});
    await hooks.reload();
    return {enabled: isOn, file: path};
  }
  const [found] = findHooks(await hooks.list(), hook);
  const name = found?.name ?? hook;
  const path = await keep(settings, {name, isOn, scope});
  await hooks.reload();
  const left = (await hooks.list()).find((one) => one.name === name)?.leftOut?.reason;
  if (isOn !== (left !== 'disabled'))
    throw new KernelError(
      'HOOK_UNKNOWN',
      `The hook ${JSON.stringify(name)} is still ${isOn ? 'disabled' : 'enabled'}.`,
      {
        hint: `An administrator or another scope decides about it: \`gemini settings explain hooksConfig.disabled\`.`,
      },
    );
  return {hook: name, enabled: isOn, file: path};
}

async function keep(
  settings: Settings,
  {name, isOn, scope}: Pick<Wish, 'isOn' | 'scope'> & {readonly name: string},
): Promise<string> {
  const key = 'hooksConfig.disabled';
  const layer = scope === 'user' ? 'user' : 'workspace';
  const before = (await settings.explain(key)).layers.find((one) => one.layer === layer)?.value;
  const isThere = Array.isArray(before) && before.includes(name);
  if (isOn) return (await settings.remove(key, [name], {scope})).path;
  return (await settings.append(key, isThere ? [] : [name], {scope})).path;
}
