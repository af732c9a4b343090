import { type LockedPlugin } from '@gemini-kernel/admission';
import type { Candidate } from './judge/candidate.js';
import { type PluginPackage } from './judge/plugin-package.js';
import type { Installer } from './source/installer.js';
import type { WantedPlugin } from './source/parse-spec.js';
export interface StageRequest {
  readonly wanted: WantedPlugin;
  readonly locked?: LockedPlugin;
  readonly pinned?: LockedPlugin;
}
export interface StagedPlugin extends Candidate {
  readonly root: string;
  readonly package: PluginPackage;
  readonly files: number;
  readonly bytes: number;
  place(): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}
export declare function stagePlugin(
  installer: Installer,
  { wanted, locked, pinned }: StageRequest,
): Promise<StagedPlugin>;
