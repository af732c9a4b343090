import {ToolError} from '../contract/error.js';
import type {JSONSchema} from '../contract/json-schema.js';
import type {Tool} from '../contract/tool.js';
import type {Effect, ToolAnnotations} from '../contract/tool-call.js';
import type {CallPath} from './call-path.js';
import {findNearest} from './nearest.js';
import type {Sourced} from './sources.js';

/** A tool that a call is of, and the way to its code. */
export interface Found {
  readonly name: string;
  readonly effect: Effect;
  readonly annotations: ToolAnnotations;
  readonly input: JSONSchema;
  readonly output?: JSONSchema;
  readonly server?: string;
  /** The plugin that it comes from. */
  readonly plugin: string;
  open(): Promise<Tool>;
}

/** Finds a tool by its name, among those of manifests first. Throws ToolError TOOL_UNKNOWN with the nearest names. */
export async function findTool(path: CallPath, name: string, signal: AbortSignal | undefined): Promise<Found> {
  const {catalog, load} = path;
  const entry = catalog.tools.get(name);
  if (entry) return {...entry, open: () => load(entry, 'tool', path.stage.lookup) as Promise<Tool>};
  const listing = await path.listing(signal);
  const sourced = listing.tools.get(name);
  if (sourced) return {annotations: {}, ...sourced.tool, plugin: sourced.plugin, open: async () => toTool(sourced)};
  const near = findNearest(name, [...catalog.tools.keys(), ...listing.tools.keys()]).join(', ');
  const shown = /^[\w.:@/ -]+$/.test(name) ? name : JSON.stringify(name);
  throw new ToolError('TOOL_UNKNOWN', `There is no tool ${shown}.`, {
    hint: near === '' ? 'List the tools to see which there are.' : `Did you mean ${near}?`,
  });
}

/** A tool of a source, as a tool file would give it. */
function toTool({tool, source}: Sourced): Tool {
  const {name} = tool;
  return {
    ...tool,
    ...(source.touches ? {touches: (input, context) => source.touches?.(name, input, context) ?? []} : {}),
    ...(source.preview ? {preview: (input, context) => source.preview?.(name, input, context)} : {}),
    ...(source.revise ? {revise: (input, edited) => source.revise?.(name, input, edited)} : {}),
    run: (input, context) => source.run(name, input, context),
  } as Tool;
}
