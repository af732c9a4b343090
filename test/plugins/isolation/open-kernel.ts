import {type Catalog, type Elsewhere} from '@gemini-kernel/kernel/host';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {createElsewhere} from '#bin/dist/elsewhere.js';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** A kernel whose installed plugins run in processes of their own. */
export function openIsolated(
  options: Partial<TestKernelOptions> & {
    readonly mode?: never;
    /** The tree of a file that a lock vouches for. */
    readonly treeOf?: Parameters<typeof createElsewhere>[1];
  } = {},
): Promise<TestKernel> {
  const {plugins = [], variables, homeFiles, treeOf, ...rest} = options;
  return createTestKernel({
    confirm: 'yes',
    elsewhere: (catalog: Catalog): Elsewhere => createElsewhere(catalog, treeOf),
    ...rest,
    plugins: [...['settings', 'trust', 'workspace', 'secrets', 'sandbox', 'isolation'].map(pluginRoot), ...plugins],
    homeFiles: {'.gemini/settings.json': '{"security": {"pluginIsolation": "required"}}', ...homeFiles},
    variables: {PATH: process.env['PATH'], GEMINI_CLI_TRUST_WORKSPACE: 'true', ...variables},
  });
}
