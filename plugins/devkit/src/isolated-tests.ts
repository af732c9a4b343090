import {realpath} from 'node:fs/promises';
import {KernelError} from '@gemini-kernel/kernel';
import type {Catalog} from '@gemini-kernel/kernel/host';
import type {Sandbox} from '@gemini-kernel/plugin-sandbox/contract';
import type {TestResults} from './run-tests.js';

const TIER = 'isolation';

/** Throws KernelError TIER_MISSING where nothing can run a plugin in a process of its own. */
export async function requireTier({services}: Catalog, sandbox: () => Promise<Sandbox>): Promise<void> {
  if (!services.has(TIER) || !services.has('sandbox'))
    throw new KernelError('TIER_MISSING', 'Nothing here runs plugins in processes of their own.', {
      hint: 'Use a bundle that has the plugins isolation and sandbox.',
    });
  const {isPossible, fault, missing} = await (await sandbox()).state();
  if (isPossible && !fault) return;
  const lack = fault ?? missing;
  throw new KernelError('TIER_MISSING', `This machine cannot confine a plugin: ${lack?.sentence ?? 'no sandbox.'}`, {
    hint: lack?.hint ?? 'Run gemini sandbox status.',
  });
}

/** The variables that have the tests of a plugin run with the plugin in a process of its own. */
export async function isolatedVariables(root: string, catalog: Catalog): Promise<Readonly<Record<string, string>>> {
  const tier = {root: await realpath(root), plugins: providersOf(catalog)};
  return {
    GEMINI_TEST_PREPARE: new URL('./testing/prepare.js', import.meta.url).href,
    GEMINI_TEST_TIER: JSON.stringify(tier),
  };
}

/** Tests that ended otherwise in a process of its own. */
export function findDiffering(first: TestResults, second: TestResults): readonly string[] {
  const names = new Set([...first.ends.keys(), ...second.ends.keys()]);
  return [...names].filter((name) => first.ends.get(name) !== second.ends.get(name)).sort();
}

/** The folders of the plugins that the tier consists of, with what they require. */
function providersOf({plugins, services}: Catalog): readonly string[] {
  const all = new Set<string>();
  const waiting = [TIER, 'sandbox', 'workspace'];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const plugin = plugins.get(services.get(name)?.plugin ?? '');
    if (!plugin || all.has(plugin.root)) continue;
    all.add(plugin.root);
    waiting.push(...Object.keys(plugin.manifest.requires.services));
  }
  return [...all];
}
