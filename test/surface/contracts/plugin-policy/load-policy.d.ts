import type { ActiveBundle, InstallPlaces } from '@gemini-kernel/admission/contract';
import type { Environment, KernelError } from '@gemini-kernel/kernel';
import type { ConfigFiles, Settings } from '@gemini-kernel/plugin-settings/contract';
import type { BroughtRules, Defaults } from './contract.js';
import type { FoundFile } from './read/find-in-folder.js';
import type { Problem, RuleSet, SandboxLimits } from './rule.js';
export interface LoadedPolicy extends RuleSet {
  readonly files: readonly FoundFile[];
  readonly unfound: readonly Problem[];
  readonly broken: KernelError | undefined;
  readonly inVain: readonly Problem[];
}
interface Sources {
  readonly environment: Pick<Environment, 'cwd' | 'home' | 'platform' | 'cacheDir' | 'temporary' | 'variables'>;
  readonly installs: InstallPlaces | undefined;
  readonly bundles: readonly ActiveBundle[];
  readonly brought: readonly BroughtRules[];
  readonly settings: Settings;
  readonly configFiles: ConfigFiles;
  readonly defaults: Defaults;
  readonly isTrusted: boolean;
  readonly knownTools?: readonly string[];
}
export declare function loadPolicy(sources: Sources): Promise<LoadedPolicy>;
export declare function loadLimits(sources: Sources): Promise<readonly SandboxLimits[]>;
export declare function isCases(file: string): boolean;
export {};
