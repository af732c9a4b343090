import type { IsolationMode, PluginRecord, PluginUse } from '@gemini-kernel/plugin-isolation/contract';
import type { KeptCall } from '@gemini-kernel/plugin-doctor/contract';
export interface AuditedUse extends Pick<PluginUse, 'what' | 'outcome' | 'count' | 'last'> {
  readonly seenBy: PluginUse['seenBy'] | 'calls';
}
export interface AuditedUses {
  readonly tier: IsolationMode;
  readonly uses: readonly AuditedUse[];
  readonly unused: readonly string[];
  readonly processes?: Omit<PluginRecord, 'plugin' | 'version' | 'uses'>;
}
export interface UseSources {
  tier(plugin: string): Promise<IsolationMode>;
  record(plugin: string): Promise<PluginRecord | undefined>;
  readonly calls: readonly KeptCall[];
}
interface Audited {
  readonly name: string;
  readonly version: string;
  readonly declared: readonly string[];
  readonly link?: {
    readonly isIsolated: boolean;
  };
}
export declare function auditUses(
  { name, version, declared, link }: Audited,
  { tier, record: recordOf, calls }: UseSources,
): Promise<AuditedUses>;
export {};
