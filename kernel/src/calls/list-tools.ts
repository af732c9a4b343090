import type {Catalog} from '../catalog/catalog.js';
import type {ToolInfo} from '../contract/call.js';
import {toJson} from '../hooks/to-json.js';
import type {Listing} from './sources.js';

const known = new WeakMap<Listing, {readonly of: Catalog['tools']; readonly tools: readonly ToolInfo[]}>();

/** Every tool of manifests and sources, by name. The same list as long as both are the same. */
export function listTools({tools: own}: Catalog, listing: Listing): readonly ToolInfo[] {
  const before = known.get(listing);
  if (before?.of === own) return before.tools;
  const sourced = [...listing.tools.values()].map(({tool, plugin}): ToolInfo => ({
    ...tool,
    annotations: tool.annotations ?? {},
    plugin,
  }));
  const all = [...[...own.values()].map(({module: _, ...info}) => info), ...sourced];
  // Frozen once: what goes to listeners and models after that is not copied again.
  const tools = toJson(
    all.sort((a, b) => (a.name < b.name ? -1 : 1)),
    'the tools',
  );
  known.set(listing, {of: own, tools});
  return tools;
}
