import { type LockedPlugin } from '@gemini-kernel/admission';
import { type LockedPlace } from '../commit/list-installed.js';
import { type ExplainedCapability } from '../judge/explain-capability.js';
import type { Installer } from '../source/installer.js';
import { type AuditedUses, type UseSources } from './audit-uses.js';
export interface AuditedDependency {
  readonly name: string;
  readonly version: string;
  readonly place: string;
  readonly from?: string;
  readonly integrity?: string;
  readonly license?: string;
}
export interface AuditedPlugin {
  readonly name: string;
  readonly version: string;
  readonly scope: LockedPlace['scope'];
  readonly from: string;
  readonly source: LockedPlugin['source'];
  readonly integrity?: string;
  readonly tree?: string;
  readonly signer?: string;
  readonly provenance?: LockedPlugin['provenance'];
  readonly approved?: LockedPlugin['approved'];
  readonly license?: string;
  readonly capabilities: {
    readonly declared: readonly string[];
    readonly optional?: readonly string[];
    readonly undeclared: readonly string[];
    readonly isSameAsLocked: boolean;
    readonly explained: readonly ExplainedCapability[];
  };
  readonly did: AuditedUses;
  readonly replaces: readonly string[];
  readonly contributions: Readonly<Record<'tools' | 'services' | 'listeners' | 'commands' | 'hooks' | 'flags', number>>;
  readonly dependencies: readonly AuditedDependency[];
  readonly fault?: string;
}
export declare function auditPlugins(
  installer: Installer,
  sources: UseSources,
  named?: string,
): Promise<readonly AuditedPlugin[]>;
