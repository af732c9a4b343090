import type { LockedPlugin } from '@gemini-kernel/admission';
import type { Catalog } from '@gemini-kernel/kernel/host';
import type { InstallScope } from '../source/installer.js';
import type { Surroundings } from '../../surroundings.js';
export interface ListedPlugin {
  readonly name: string;
  readonly version: string;
  readonly type: 'core' | 'user' | 'link';
  readonly scope: InstallScope | 'product';
  readonly state: 'loaded' | 'refused' | 'shadowed';
  readonly reason?: string;
  readonly from: string;
  readonly signer?: string;
  readonly provenance?: LockedPlugin['provenance'];
  readonly root: string;
}
export declare function listPlugins(
  environment: Surroundings,
  catalog: Pick<Catalog, 'plugins' | 'refused'>,
  {
    core,
  }: {
    readonly core: boolean;
  },
): Promise<readonly ListedPlugin[]>;
