import {KERNEL, type Catalog, type Elsewhere} from '@gemini-kernel/kernel/host';

/** The service that runs plugins elsewhere, as far as a host knows it. */
interface Runner {
  contribute(request: object): Promise<unknown>;
}

const RUNNER = 'isolation';

/** Has the contributions of what a person installed come from another process, where the plugin for that says so. */
export function createElsewhere(catalog: Pick<Catalog, 'plugins' | 'services'>): Elsewhere {
  return (entry, kind, lookup) => {
    const plugin = catalog.plugins.get(entry.plugin);
    if (plugin?.origin !== 'user' || !catalog.services.has(RUNNER)) return undefined;
    const serviceOf = (name: string): unknown => catalog.services.get(name);
    // Its contract belongs to a plugin, of which a host knows only this.
    return (lookup as unknown as (name: string, asker: string) => Promise<Runner>)(RUNNER, KERNEL).then((runner) =>
      runner.contribute({plugin, entry, kind, serviceOf}),
    );
  };
}
