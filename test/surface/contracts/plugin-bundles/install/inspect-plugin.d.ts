import { type LockedPlugin } from '@gemini-kernel/admission';
import type { Manifest } from '@gemini-kernel/kernel/host';
import { type ExplainedCapability } from './judge/explain-capability.js';
import type { Installer } from './source/installer.js';
export interface InspectedPlugin {
  readonly name: string;
  readonly version: string;
  readonly isInstalled: boolean;
  readonly root?: string;
  readonly locked: LockedPlugin;
  readonly manifest: Manifest;
  readonly capabilities: readonly ExplainedCapability[];
  readonly files?: number;
  readonly bytes?: number;
  readonly published?: Date;
  readonly unknownKey?: string;
  readonly unproven?: string;
  readonly scripts: readonly string[];
  readonly lookalike?: string;
  readonly before?: LockedPlugin;
}
export declare function inspectPlugin(installer: Installer, spec: string): Promise<InspectedPlugin>;
export declare function inspectLines(
  inspected: InspectedPlugin,
  {
    verbose,
    now,
  }: {
    readonly verbose: boolean;
    readonly now: Date;
  },
): readonly string[];
