import { type LockedPlugin } from '@gemini-kernel/admission';
import { type ConsentMeans } from './judge/ask-consent.js';
import type { Installer } from './source/installer.js';
import type { WantedPlugin } from './source/parse-spec.js';
import { type StagedPlugin } from './stage-plugin.js';
export interface InstalledPlugin {
  readonly name: string;
  readonly version: string;
  readonly before?: string;
  readonly changed: boolean;
  readonly locked: LockedPlugin;
  readonly tooYoung?: string;
}
export interface InstallRequest {
  readonly wanted: WantedPlugin;
  readonly consent: ConsentMeans;
  readonly force: boolean;
}
export declare function installPlugin(
  installer: Installer,
  { wanted, consent, force }: InstallRequest,
): Promise<InstalledPlugin>;
export declare function agreeAndSwitch(
  installer: Installer,
  staged: StagedPlugin,
  consent: ConsentMeans,
): Promise<InstalledPlugin>;
