import type {Settings} from '@gemini-kernel/plugin-settings/contract';

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

/** What is to be searched: the administrator's catalogs, then the person's. A project adds nothing. */
export async function readWanted(settings: Pick<Settings, 'getApart' | 'getManaged'>): Promise<WantedSources> {
  const [managed, apart, ...only] = await Promise.all([
    settings.getManaged('catalogs.sources'),
    settings.getApart('catalogs.sources'),
    settings.getManaged('catalogs.managedOnly'),
    settings.getApart('catalogs.managedOnly'),
  ]);
  const isLimited = only.includes(true);
  const own = isLimited ? [] : catalogsOf(apart, false);
  const all = new Map<string, WantedCatalog>();
  // The administrator's entry counts where a person names the same place without its key.
  for (const one of [...catalogsOf(managed, true), ...own]) if (!all.has(one.location)) all.set(one.location, one);
  return {catalogs: [...all.values()].slice(0, MOST), npm: !isLimited};
}

function catalogsOf(value: unknown, isManaged: boolean): readonly WantedCatalog[] {
  return (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((one) => {
    const {location, key} = (one ?? {}) as {readonly location?: unknown; readonly key?: unknown};
    if (typeof location !== 'string') return [];
    return [{location, isManaged, ...(typeof key === 'string' ? {key} : {})}];
  });
}
