import type {Settings} from '@gemini-kernel/plugin-settings/contract';

type Own = Readonly<Record<string, unknown>>;

interface ModelSettings {
  readonly model?: string;
  readonly generateContentConfig?: Own;
}

interface Alias {
  readonly extends?: string;
  readonly modelConfig?: ModelSettings;
}

interface Override {
  readonly match?: Readonly<Record<string, unknown>>;
  readonly modelConfig?: ModelSettings;
}

/** The settings of a model: the name that an alias stands for, and its request options in the provider's own words. */
export interface ModelConfigs {
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly overrides: readonly Override[];
}

/** Reads `modelConfigs`; your own aliases override those of the same name. */
export async function readModelConfigs(settings: Settings): Promise<ModelConfigs> {
  const [aliases, custom, overrides, own] = await Promise.all(
    ['aliases', 'customAliases', 'overrides', 'customOverrides'].map((key) => settings.get(`modelConfigs.${key}`)),
  );
  const entries = [aliases, custom]
    .flatMap((value) => (isObject(value) ? Object.entries(value) : []))
    .filter((entry): entry is [string, Alias] => isObject(entry[1]));
  return {
    aliases: new Map(entries),
    overrides: [overrides, own].flatMap((value) => (Array.isArray(value) ? value : [])).filter(isObject),
  };
}

/** Resolves a name through its aliases, with the options for its requests. */
export function resolveConfig(
  name: string,
  {aliases, overrides}: ModelConfigs,
): {readonly model: string; readonly own: Own} {
  const chain: ModelSettings[] = [];
  const seen = new Set<string>();
  // An alias that extends itself resolves to itself.
  for (let at: string | undefined = name; at !== undefined && !seen.has(at); at = aliases.get(at)?.extends) {
    seen.add(at);
    const config = aliases.get(at)?.modelConfig;
    if (config) chain.unshift(config);
  }
  const model = chain.findLast((config) => config.model !== undefined)?.model ?? name;
  const matching = overrides.filter(
    ({match}) =>
      match !== undefined &&
      Object.entries(match).every(([key, value]) => key === 'model' && (value === model || value === name)),
  );
  const own = [...chain, ...matching.map(({modelConfig = {}}) => modelConfig)].reduce<Own>(
    (all, {generateContentConfig = {}}) => ({...all, ...generateContentConfig}),
    {},
  );
  return {
    model: matching.findLast(({modelConfig}) => modelConfig?.model !== undefined)?.modelConfig?.model ?? model,
    own,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
