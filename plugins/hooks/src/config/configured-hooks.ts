import {join} from 'node:path';
import type {ServiceContext} from '@gemini-kernel/kernel';
import type {LayerValue, Settings} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {HookInfo, SourcedHooks} from '../contract.js';
import {Acknowledgements} from './acknowledgements.js';
import type {ConfiguredHook} from './configured-hook.js';
import {hookSourceItem} from '../source-items.js';
import {readDefinitions} from './read-definitions.js';

type Context = Pick<ServiceContext, 'environment' | 'service' | 'names' | 'sources'>;

/** Layers of settings that count, in the order in which their hooks run. */
const ORDER = ['workspace', 'user', 'system', 'system-defaults', 'bundle', 'enforced'];
/** What an administrator or a bundle installs. */
const MANAGED: ReadonlySet<string> = new Set(['system', 'system-defaults', 'bundle', 'enforced']);
/** More hooks of an untrusted project than this are not named. */
const MOST_UNTRUSTED = 20;

/** The configured hooks of a session, in the order in which they run, with the reasons why some do not. */
export class ConfiguredHooks {
  #own: Promise<readonly ConfiguredHook[]> | undefined;

  constructor(private readonly context: Context) {}

  /** Reads everything again the next time. */
  reload(): void {
    this.#own = undefined;
  }

  async list(): Promise<readonly ConfiguredHook[]> {
    this.#own ??= this.#read();
    const own = await this.#own;
    return this.context.names('hook-sources').length === 0 ? own : onlyOnce([...own, ...(await this.#sourced())]);
  }

  /** Keeps that a person agreed to hooks of the project. */
  async acknowledge(hooks: readonly HookInfo[]): Promise<string> {
    const acknowledged = await this.#acknowledgements();
    await acknowledged.add(hooks);
    this.reload();
    return acknowledged.file;
  }

  async #acknowledgements(): Promise<Acknowledgements> {
    return new Acknowledgements(this.context.environment, await this.context.service('config-files'));
  }

  async #read(): Promise<readonly ConfiguredHook[]> {
    const settings = await this.context.service('settings');
    const {layers} = await settings.explain('hooks');
    const found = [...layers]
      .filter(({layer}) => ORDER.includes(layer))
      .sort((a, b) => ORDER.indexOf(a.layer) - ORDER.indexOf(b.layer))
      .flatMap((layer) => readDefinitions(layer.value, originOf(layer)));
    const untrusted = await this.#untrusted();
    if (found.length === 0) return untrusted;
    const isOff = await readSwitches(settings);
    const acknowledged = found.some(({layer}) => layer === 'workspace')
      ? await (await this.#acknowledgements()).read()
      : new Set<string>();
    const judged = found.map((hook) => leaveOut(hook, isOff(hook) ?? unacknowledged(hook, acknowledged)));
    return onlyOnce([...judged, ...untrusted]);
  }

  /** Hooks of a project that is not trusted: named, and never run. */
  async #untrusted(): Promise<readonly ConfiguredHook[]> {
    const {service, environment} = this.context;
    if (await (await service('trust')).may('hooks')) return [];
    const source = join(environment.cwd, '.gemini', 'settings.json');
    // A file of strangers that cannot be read has no hooks.
    const found = await (await service('config-files')).readJSON(source).catch(() => undefined);
    const sentence =
      'The folder of this project is not trusted, so its hooks do not run. Trust it with `gemini trust add`.';
    return readDefinitions(found?.['hooks'], {layer: 'workspace', source, isManaged: false})
      .slice(0, MOST_UNTRUSTED)
      .map((hook) => ({...hook, leftOut: {reason: 'untrusted', sentence}}));
  }

  async #sourced(): Promise<readonly ConfiguredHook[]> {
    const lists = await this.context.sources<SourcedHooks>('hook-sources', hookSourceItem);
    const isOff = await readSwitches(await this.context.service('settings'));
    return lists
      .flatMap(({items}) => items)
      .flatMap(({owner, hooks, variables = {}, isManaged = false}) =>
        readDefinitions(hooks, {layer: 'extension', source: owner, isManaged, variables}),
      )
      .map((hook) => leaveOut(hook, isOff(hook)));
  }
}

function originOf({layer, source}: LayerValue): {layer: string; source?: string; isManaged: boolean} {
  return {layer, isManaged: MANAGED.has(layer), ...(source === undefined ? {} : {source})};
}

function leaveOut(hook: ConfiguredHook, leftOut: HookInfo['leftOut']): ConfiguredHook {
  return hook.leftOut || !leftOut ? hook : {...hook, leftOut};
}

function unacknowledged({layer, id}: ConfiguredHook, acknowledged: ReadonlySet<string>): HookInfo['leftOut'] {
  if (layer !== 'workspace' || acknowledged.has(id)) return undefined;
  return {
    reason: 'unacknowledged',
    sentence: 'No one has agreed to this hook of the project as it is now. `gemini hooks trust` does.',
  };
}

/** Why a hook is switched off. What a person or a project says does not reach what stands above them. */
async function readSwitches(
  settings: Pick<Settings, 'get' | 'getApart' | 'getManaged'>,
): Promise<(hook: ConfiguredHook) => HookInfo['leftOut']> {
  const read = async (get: (key: string) => Promise<unknown>): Promise<[boolean, ReadonlySet<unknown>]> => {
    const [enabled, disabled] = await Promise.all([get('hooksConfig.enabled'), get('hooksConfig.disabled')]);
    return [enabled !== false, new Set(Array.isArray(disabled) ? disabled : [])];
  };
  // A project could switch off the guards of the person with it.
  const only = await Promise.all([
    settings.getApart('hooksConfig.managedOnly'),
    settings.getManaged('hooksConfig.managedOnly'),
  ]);
  const [all, apart, managed] = await Promise.all([
    read((key) => settings.get(key)),
    read((key) => settings.getApart(key)),
    read((key) => settings.getManaged(key)),
  ]);
  return (hook) => {
    const [isOn, disabled] = hook.isManaged ? managed : hook.layer === 'workspace' ? all : apart;
    if (!hook.isManaged && only.includes(true))
      return {reason: 'off', sentence: "Only the administrator's hooks run (setting hooksConfig.managedOnly)."};
    if (!isOn) return {reason: 'off', sentence: 'Hooks are switched off (setting hooksConfig.enabled).'};
    if (disabled.has(hook.name) || disabled.has(hook.command))
      return {reason: 'disabled', sentence: 'This hook is disabled (setting hooksConfig.disabled).'};
    return undefined;
  };
}

/** Whose hook counts: a project could give another one's hook a shorter timeout, or let it fail. */
function rankOf({isManaged, layer}: ConfiguredHook): number {
  return isManaged ? 2 : layer === 'workspace' ? 0 : 1;
}

/**
 * A hook that several places configure runs once, in the first place, as the strongest of them has it. One of the
 * project that waits for an answer is not asked about if the same hook runs already.
 */
function onlyOnce(hooks: readonly ConfiguredHook[]): readonly ConfiguredHook[] {
  const keyOf = ({event, name, command, matcher}: ConfiguredHook): string =>
    JSON.stringify([event, name, command, matcher]);
  const running = new Set(hooks.filter(({leftOut}) => leftOut === undefined).map(keyOf));
  const known = new Map<string, ConfiguredHook>();
  for (const hook of hooks) {
    if (hook.leftOut?.reason === 'unacknowledged' && running.has(keyOf(hook))) continue;
    const key = hook.leftOut ? `- ${hook.layer} ${hook.id}` : keyOf(hook);
    const other = known.get(key);
    if (!other || rankOf(hook) > rankOf(other)) known.set(key, hook);
  }
  return [...known.values()];
}
