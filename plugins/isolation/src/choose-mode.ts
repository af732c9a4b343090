import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {IsolationMode} from './contract.js';

interface Chosen {
  readonly mode: IsolationMode;
  readonly by: string;
}

const MODE = 'security.pluginIsolation';
const NAMED = 'security.isolatedPlugins';
const ORDER: readonly IsolationMode[] = ['off', 'preferred', 'required'];

/**
 * What decides about a plugin. The person chooses; an administrator and a project can only make it stricter. Any other
 * value counts as `required`: a slip must not loosen.
 */
export async function chooseMode(settings: Settings, plugin: string): Promise<Chosen> {
  const [managed, apart, all] = await Promise.all([
    read((key) => settings.getManaged(key), plugin, 'an administrator'),
    read((key) => settings.getApart(key), plugin, 'your settings'),
    read((key) => settings.get(key), plugin, 'the project'),
  ]);
  return [apart, all].reduce((a, b) => (ORDER.indexOf(b.mode) > ORDER.indexOf(a.mode) ? b : a), managed);
}

async function read(get: (key: string) => Promise<unknown>, plugin: string, by: string): Promise<Chosen> {
  const [mode, named] = await Promise.all([get(MODE), get(NAMED)]);
  if (named !== undefined && (!Array.isArray(named) || named.includes(plugin)))
    return {mode: 'required', by: `${NAMED} of ${by}`};
  if (mode === undefined) return {mode: 'off', by: 'nobody'};
  return {mode: ORDER.find((one) => one === mode) ?? 'required', by: `${MODE} of ${by}`};
}
