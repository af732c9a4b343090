import type { ConsentMeans } from './judge/ask-consent.js';
import { type PluginChange } from './judge/compare-locked.js';
import type { Installer } from './source/installer.js';
export interface UpdatedPlugin {
  readonly name: string;
  readonly from: string;
  readonly to?: string;
  readonly state: 'current' | 'updated' | 'available' | 'failed' | 'fixed';
  readonly change?: PluginChange;
  readonly needsConsent?: boolean;
  readonly fault?: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
  };
}
export interface UpdateRequest {
  readonly names: readonly string[];
  readonly consent: ConsentMeans;
  readonly check: boolean;
  readonly force: boolean;
}
export declare function updatePlugins(
  installer: Installer,
  { names, ...how }: UpdateRequest,
): Promise<readonly UpdatedPlugin[]>;
