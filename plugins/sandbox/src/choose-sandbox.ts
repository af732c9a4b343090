import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';

/** Names that choose a sandbox. The reference runs the whole program in one of them; `bwrap` confines each program. */
export const NAMES = ['bwrap', 'docker', 'podman', 'sandbox-exec', 'runsc', 'lxc', 'windows-native'] as const;
export type SandboxName = (typeof NAMES)[number];

/** What was asked for. */
export interface Choice {
  /** `auto`: the one of this system. */
  readonly name: SandboxName | 'auto' | 'off';
  /** Who asked, as the beginning of a sentence. */
  readonly by: string;
  /** An administrator asks for it. */
  readonly isManaged?: true;
}

const OFF = ['', '0', 'false', 'off', 'none'];
const ON = ['1', 'true'];

/**
 * What was asked for: GEMINI_SANDBOX, then the flag and the settings. What an administrator asks for cannot be turned
 * off or replaced. A project can ask for a sandbox, but not against one, nor for another one. Throws KernelError
 * SANDBOX_UNKNOWN.
 */
export async function chooseSandbox({variables}: Environment, settings: Settings): Promise<Choice> {
  const managed = await readSetting(settings, (key) => settings.getManaged(key));
  if (managed.name !== 'off') return {...managed, by: 'A setting of the administrator', isManaged: true};
  const variable = variables['GEMINI_SANDBOX'];
  if (variable !== undefined) return {name: readName(variable, 'GEMINI_SANDBOX'), by: 'GEMINI_SANDBOX'};
  const apart = await readSetting(settings, (key) => settings.getApart(key));
  if (apart.name !== 'off') return apart;
  const all = await readSetting(settings, (key) => settings.get(key));
  return all.name === 'off' ? apart : {...all, name: 'auto', by: `${all.by} of the project`};
}

async function readSetting(settings: Settings, get: (key: string) => Promise<unknown>): Promise<Choice> {
  const {winner} = await settings.explain('tools.sandbox');
  const value = await get('tools.sandbox');
  const by = winner === 'flag' ? '--sandbox' : 'tools.sandbox';
  if (typeof value === 'boolean') return value || winner === 'flag' ? {name: value ? 'auto' : 'off', by} : tools(get);
  if (typeof value === 'string') return {name: readName(value, by), by};
  if (typeof value === 'object' && value !== null) {
    const {enabled, command} = value as {readonly enabled?: unknown; readonly command?: unknown};
    if (enabled !== true) return tools(get);
    return {name: typeof command === 'string' ? readName(command, by) : 'auto', by};
  }
  return tools(get);
}

async function tools(get: (key: string) => Promise<unknown>): Promise<Choice> {
  const isOn = (await get('security.toolSandboxing')) === true;
  return {name: isOn ? 'auto' : 'off', by: isOn ? 'security.toolSandboxing' : 'No setting'};
}

function readName(text: string, by: string): Choice['name'] {
  const name = text.trim().toLowerCase();
  if (OFF.includes(name)) return 'off';
  if (ON.includes(name)) return 'auto';
  if (name === 'bubblewrap') return 'bwrap';
  const known = NAMES.find((one) => one === name);
  if (known) return known;
  throw new KernelError('SANDBOX_UNKNOWN', `${by} names the sandbox "${text}", which does not exist.`, {
    hint: `Use true, false or one of: ${NAMES.join(', ')}.`,
  });
}
