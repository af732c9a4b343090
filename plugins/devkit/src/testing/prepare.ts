import {realpathSync} from 'node:fs';
import {env} from 'node:process';
import {createElsewhere} from '@gemini-kernel/admission/elsewhere';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {readPlugin, type TestKernelOptions} from '@gemini-kernel/kernel/testing';

interface Tier {
  /** The folder of the plugin whose tests run. */
  readonly root: string;
  /** The folders of the plugins that run it in a process of its own. */
  readonly plugins: readonly string[];
}

/** Has the plugin that is tested run in a process of its own, in a kernel that a test of it boots. */
export async function prepare(options: TestKernelOptions): Promise<TestKernelOptions> {
  const {root, plugins: tier} = JSON.parse(env['GEMINI_TEST_TIER'] ?? '{"plugins": []}') as Tier;
  const given = await Promise.all(
    options.plugins.map(async (one) => (typeof one === 'string' ? readPlugin(one) : one)),
  );
  const isTested = (plugin: CatalogPlugin): boolean => realpathSync(plugin.root) === root;
  if (!given.some(isTested)) return options;
  const names = new Set(given.map(({manifest}) => manifest.name));
  const more = (await Promise.all(tier.map(readPlugin))).filter(({manifest}) => !names.has(manifest.name));
  const plugins = given.map((one) => (isTested(one) ? {...one, isolated: true as const} : one));
  return {...options, plugins: [...plugins, ...more], elsewhere: (catalog) => createElsewhere(catalog)};
}
