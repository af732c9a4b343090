import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import type {CommandHost, RunEnd} from '@gemini-kernel/command';
import {countContributions, type Examined} from './examine-plugin.js';

/** How long a plugin may take to load all its code and create its services. */
const DEADLINE_MS = 20_000;
const LONGEST_CAUSE = 500;

/**
 * Examines an installed plugin in a separate process, so that one that ends the program, or never returns, is a finding
 * like any other. Never rejects because of the plugin.
 */
export async function examineApart(host: CommandHost, plugin: CatalogPlugin): Promise<Examined> {
  const end = await host.run(['doctor', plugin.manifest.name, '--json'], {show: false, deadline: DEADLINE_MS});
  const found = readFinding(end.stdout);
  if (found) return found;
  const {
    manifest: {name, version},
    origin,
  } = plugin;
  return {
    name,
    version,
    origin,
    state: 'broken',
    isDeadly: true,
    causes: [describeEnd(end)],
    says: [],
    adds: countContributions(plugin.manifest),
    loadMs: 0,
    createMs: 0,
  };
}

/** What the other process found; undefined when it did not come to that. */
function readFinding(text: string): Examined | undefined {
  try {
    const {plugins: [found] = []} = JSON.parse(text) as {readonly plugins?: readonly Examined[]};
    return found;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function describeEnd({isLate, code, stderr}: RunEnd): string {
  if (isLate) return `The plugin did not finish loading within ${DEADLINE_MS / 1000} seconds.`;
  const said = stderr
    .split('\n')
    .filter((line) => line !== '' && !/^\s+at /.test(line))
    .join(' ');
  return (
    `Its process ended with code ${code} while it was being ` +
    `loaded${said === '' ? '.' : `: ${said.slice(0, LONGEST_CAUSE)}`}`
  );
}

/** A plugin with the installed plugins that it cannot do without; every other one is left out while it is examined. */
export function findStrangers(
  plugins: ReadonlyMap<string, CatalogPlugin>,
  ownerOf: (service: string) => string | undefined,
  name: string,
): ReadonlyMap<string, string> {
  const needed = new Set<string>();
  const visit = (one: string): void => {
    if (needed.has(one)) return;
    needed.add(one);
    for (const service of Object.keys(plugins.get(one)?.manifest.requires.services ?? {})) {
      const owner = ownerOf(service);
      if (owner !== undefined) visit(owner);
    }
  };
  visit(name);
  const strangers = [...plugins].filter(([one, {origin}]) => origin !== 'core' && !needed.has(one));
  return new Map(strangers.map(([one]) => [one, `only ${name} is being examined`]));
}
