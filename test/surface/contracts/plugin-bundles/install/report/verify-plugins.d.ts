import { type LockedPlace } from '../commit/list-installed.js';
import type { Installer } from '../source/installer.js';
export interface VerifiedPlugin {
  readonly name: string;
  readonly version: string;
  readonly scope: LockedPlace['scope'];
  readonly faults: readonly string[];
}
export declare function verifyPlugins(installer: Installer, name?: string): Promise<readonly VerifiedPlugin[]>;
