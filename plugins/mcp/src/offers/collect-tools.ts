import type {OfferedTool} from './offered-tools.js';
import type {ServerOffer} from './server-offer.js';

/** A tool with the server that runs it. */
export interface Owned {
  readonly offer: ServerOffer;
  readonly tool: OfferedTool;
}

/** The tools of all servers by name, and a sentence for each that is left out because of another one. */
export function collectTools(offers: readonly ServerOffer[]): {
  readonly owners: ReadonlyMap<string, Owned>;
  readonly clashes: readonly string[];
} {
  const owners = new Map<string, Owned>();
  const clashes: string[] = [];
  for (const offer of offers) {
    for (const tool of offer.tools) {
      const {name} = tool.sourced;
      const first = owners.get(name);
      if (!first) owners.set(name, {offer, tool});
      else clashes.push(describeClash(name, first, {offer, tool}));
    }
  }
  return {owners, clashes};
}

function describeClash(name: string, first: Owned, second: Owned): string {
  const show = ({offer, tool}: Owned): string => `"${tool.remote.name}" of the MCP server "${offer.config.name}"`;
  return `Tool ${show(second)} is left out: ${show(first)} is already called ${name}.`;
}
