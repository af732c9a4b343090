import type {LayerValue, Settings} from '@gemini-kernel/plugin-settings/contract';

/** A catalog as the settings name it. */
export interface WantedCatalog {
  readonly location: string;
  /** The public key that must have signed it. */
  readonly key?: string;
  readonly isManaged: boolean;
}

export interface WantedSources {
  readonly catalogs: readonly WantedCatalog[];
  /** Whether npm is searched too. */
  readonly npm: boolean;
}

/** More catalogs than these are not read. */
const MOST = 50;

/**
 * What is to be searched: the administrator's catalogs, those of applied bundles, then the person's. A project adds
 * nothing.
 */
export async function readWanted(
  settings: Pick<Settings, 'explain' | 'getApart' | 'getManaged'>,
): Promise<WantedSources> {
  const [{layers}, ...only] = await Promise.all([
    settings.explain('catalogs.sources'),
    settings.getManaged('catalogs.managedOnly'),
    settings.getApart('catalogs.managedOnly'),
  ]);
  const isLimited = only.includes(true);
  const counting = layers.filter((one) => rankOf(one) > (isLimited ? OWN : PROJECT));
  const all = new Map<string, WantedCatalog>();
  // The first entry for a place counts: a person could name the administrator's without its key.
  for (const layer of counting.sort((a, b) => rankOf(b) - rankOf(a)))
    for (const one of catalogsOf(layer.value, layer.managed === true))
      if (!all.has(one.location)) all.set(one.location, one);
  return {catalogs: [...all.values()].slice(0, MOST), npm: !isLimited};
}

const [PROJECT, OWN, BUNDLE, MANAGED] = [0, 1, 2, 3];

function rankOf({layer, managed}: LayerValue): number {
  if (managed) return MANAGED;
  if (layer === 'workspace') return PROJECT;
  return layer === 'bundle' || layer === 'enforced' ? BUNDLE : OWN;
}

function catalogsOf(value: unknown, isManaged: boolean): readonly WantedCatalog[] {
  return (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((one) => {
    const {location, key} = (one ?? {}) as {readonly location?: unknown; readonly key?: unknown};
    if (typeof location !== 'string') return [];
    return [{location, isManaged, ...(typeof key === 'string' ? {key} : {})}];
  });
}
