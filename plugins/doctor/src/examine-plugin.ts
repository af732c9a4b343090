import {messageOf, type Service, type ServiceLookup, type ServiceName} from '@gemini-kernel/kernel';
import {findViolations, type Kernel, type Manifest, type Session} from '@gemini-kernel/kernel/host';

export interface Examined {
  readonly name: string;
  readonly version: string;
  readonly origin: 'core' | 'user' | 'link';
  readonly state: 'works' | 'broken';
  /** Whether loading it ended the program, or never returned. */
  readonly isDeadly?: boolean;
  /** What is wrong, a sentence each. */
  readonly causes: readonly string[];
  /** What its services say of their state, a line each. */
  readonly says: readonly string[];
  /** Contributions by kind. */
  readonly adds: Readonly<Record<string, number>>;
  /** Time to import all its code, which happens piece by piece on first use. */
  readonly loadMs: number;
  /** Time to create all its services. */
  readonly createMs: number;
}

/** Imports everything a plugin contributes and creates its services, as first use would. */
export async function examinePlugin(kernel: Kernel, session: Session, name: string): Promise<Examined> {
  const plugin = kernel.catalog.plugins.get(name);
  if (!plugin) throw new Error(`${name} is not in the catalog.`);
  const {manifest, origin} = plugin;
  const causes: string[] = [];
  const says: string[] = [];
  const note = (error: unknown): void => void causes.push(messageOf(error));
  const lookup = lookupOf(session);
  const kinds = [
    ['tool', manifest.tools],
    ['service', manifest.services],
    ['listener', manifest.listeners],
    ['command', manifest.commands],
  ] as const;
  const loadMs = await timed(async () => {
    for (const [kind, entries] of kinds) {
      for (const entry of entries) await kernel.load({...entry, plugin: name}, kind, lookup).catch(note);
    }
    for (const tool of manifest.tools) {
      await findViolations(tool.input, {}, 'input').catch((error: unknown) =>
        note(`The input schema of its tool ${tool.name} is wrong: ${messageOf(error)}`),
      );
    }
  });
  const createMs = await timed(async () => {
    for (const service of manifest.services) {
      // Every service name is one of the catalog's, and this one is its own.
      await session.service(service.name as ServiceName, name).catch(note);
    }
  });
  for (const entry of manifest.services)
    says.push(...(await sayOf(kernel, session, {...entry, plugin: name}).catch((error: unknown) => (note(error), []))));
  const state = causes.length > 0 ? 'broken' : 'works';
  return {
    name,
    version: manifest.version,
    origin,
    state,
    causes: [...new Set(causes)],
    says,
    adds: countContributions(manifest),
    loadMs,
    createMs,
  };
}

async function sayOf(
  kernel: Kernel,
  session: Session,
  entry: {readonly plugin: string; readonly name: string; readonly module: string},
): Promise<readonly string[]> {
  const {describe} = (await kernel.load(entry, 'service', lookupOf(session))) as Service;
  if (!describe) return [];
  return [await describe(await session.service(entry.name as ServiceName, entry.plugin))];
}

function lookupOf(session: Session): ServiceLookup {
  return (name, plugin) => session.service(name, plugin);
}

async function timed(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return Math.round((performance.now() - started) * 100) / 100;
}

/** How many contributions of each kind a plugin has. */
export function countContributions({
  tools,
  services,
  hooks,
  listeners,
  commands,
  flags,
  settings = [],
}: Manifest): Record<string, number> {
  return Object.fromEntries(
    Object.entries({tools, services, hooks, listeners, commands, flags, settings})
      .map(([kind, list]): [string, number] => [kind, list.length])
      .filter(([, size]) => size > 0),
  );
}
