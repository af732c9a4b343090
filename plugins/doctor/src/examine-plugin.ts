import {messageOf} from '@gemini-kernel/kernel';
import type {Kernel, Manifest, Session} from '@gemini-kernel/kernel/host';
import type {ServiceName} from '@gemini-kernel/kernel';

export interface Examined {
  readonly name: string;
  readonly version: string;
  readonly origin: 'core' | 'user' | 'link';
  readonly state: 'works' | 'broken';
  /** What is wrong, a sentence each. */
  readonly causes: readonly string[];
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
  const loadMs = await timed(async () => {
    for (const [brand, entries] of [['tool', manifest.tools], ['service', manifest.services], ['listener', manifest.listeners]] as const) {
      for (const {module} of entries) await kernel.load({plugin: name, module}, brand).catch((error: unknown) => causes.push(messageOf(error)));
    }
    // A command is a class, which carries no brand; `load` compares with what it finds.
    for (const {module} of manifest.commands) await kernel.load({plugin: name, module}, undefined as never).catch((error: unknown) => causes.push(messageOf(error)));
  });
  const createMs = await timed(async () => {
    for (const service of manifest.services) {
      // Every service name is one of the catalog's, and this one is its own.
      await session.service(service.name as ServiceName, name).catch((error: unknown) => causes.push(messageOf(error)));
    }
  });
  const state = causes.length > 0 ? 'broken' : 'works';
  return {name, version: manifest.version, origin, state, causes: [...new Set(causes)], adds: count(manifest), loadMs, createMs};
}

async function timed(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return Math.round((performance.now() - started) * 100) / 100;
}

function count({tools, services, hooks, listeners, commands, flags}: Manifest): Record<string, number> {
  return Object.fromEntries(Object.entries({tools, services, hooks, listeners, commands, flags}).map(([kind, list]): [string, number] => [kind, list.length]).filter(([, size]) => size > 0));
}
