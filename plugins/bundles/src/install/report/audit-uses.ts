import {capabilityOf, includesCapability} from '@gemini-kernel/kernel/host';
import type {IsolationMode, PluginRecord, PluginUse} from '@gemini-kernel/plugin-isolation/contract';
import type {KeptCall} from '@gemini-kernel/plugin-doctor/contract';

/** One thing that a plugin used or was refused; `calls`: what its tools said that they touch, in the newest calls. */
export interface AuditedUse extends Pick<PluginUse, 'what' | 'outcome' | 'count' | 'last'> {
  readonly seenBy: PluginUse['seenBy'] | 'calls';
}

/** What a plugin did, against what it declares. */
export interface AuditedUses {
  readonly tier: IsolationMode;
  readonly uses: readonly AuditedUse[];
  /** Declared, and never seen to be used. */
  readonly unused: readonly string[];
  /** Of its processes, since the first one of this version. */
  readonly processes?: Omit<PluginRecord, 'plugin' | 'version' | 'uses'>;
}

/** Where it is known what plugins do; each is absent where the product leaves it out. */
export interface UseSources {
  tier(plugin: string): Promise<IsolationMode>;
  record(plugin: string): Promise<PluginRecord | undefined>;
  readonly calls: readonly KeptCall[];
}

interface Audited {
  readonly name: string;
  readonly version: string;
  readonly declared: readonly string[];
  /** It is linked, and whether it is tried in a process of its own. */
  readonly link?: {readonly isIsolated: boolean};
}

/** What is known of the uses of one plugin. */
export async function auditUses(
  {name, version, declared, link}: Audited,
  {tier, record: recordOf, calls}: UseSources,
): Promise<AuditedUses> {
  const kept = await recordOf(name);
  const record = kept?.version === version ? kept : undefined;
  const uses = [
    ...(record?.uses ?? []).map(({first: _, ...use}): AuditedUse => use),
    ...touchesOf(
      calls.filter(({call}) => call?.plugin === name),
      declared,
    ),
  ];
  const used = uses.filter(({outcome}) => outcome === 'used').map(({what}) => what);
  return {
    tier: link ? (link.isIsolated ? 'required' : 'off') : await tier(name),
    uses,
    unused: declared.filter((one) => !used.some((what) => what === one || includesCapability(one, what))),
    ...(record ? {processes: processesOf(record)} : {}),
  };
}

function processesOf({
  plugin: _,
  version: __,
  uses: ___,
  ...rest
}: PluginRecord): NonNullable<AuditedUses['processes']> {
  return rest;
}

/** Calls that ran touched what they said; of the others it is not known how far they came. */
function touchesOf(calls: readonly KeptCall[], declared: readonly string[]): readonly AuditedUse[] {
  const found = new Map<string, AuditedUse>();
  for (const {status, call, began} of calls) {
    if (status !== 'done') continue;
    for (const touch of call?.touches ?? []) {
      const needed = capabilityOf(touch);
      const what = declared.find((one) => includesCapability(one, needed)) ?? needed;
      const known = found.get(what);
      const last = Math.max(known?.last ?? 0, began);
      found.set(what, {what, outcome: 'used', seenBy: 'calls', count: (known?.count ?? 0) + 1, last});
    }
  }
  return [...found.values()];
}
