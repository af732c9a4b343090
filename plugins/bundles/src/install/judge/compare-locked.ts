import type {LockedPlugin, PluginSource} from '@gemini-kernel/admission';
import {findLostProof} from './describe-provenance.js';

/** What is different between a plugin that somebody said yes to and the one that would take its place. */
export interface PluginChange {
  readonly newCapabilities: readonly string[];
  readonly droppedCapabilities: readonly string[];
  readonly newReplaced: readonly string[];
  readonly isSourceNew: boolean;
  readonly isSignerNew: boolean;
  /** Whether it was proven where it was built, and now is not, or elsewhere. */
  readonly isProofLost: boolean;
  readonly dependencies: {readonly added: number; readonly removed: number; readonly changed: number};
}

/** Compares what a lock says with what it would say. */
export function compareLocked(before: LockedPlugin | undefined, after: LockedPlugin): PluginChange {
  const minus = (a: readonly string[] = [], b: readonly string[] = []): readonly string[] =>
    a.filter((one) => !b.includes(one));
  const [old, fresh] = [before?.dependencies ?? {}, after.dependencies ?? {}];
  return {
    newCapabilities: minus(after.capabilities, before?.capabilities),
    droppedCapabilities: minus(before?.capabilities, after.capabilities),
    newReplaced: minus(after.replaces, before?.replaces),
    isSourceNew: before === undefined || placeOf(before.source) !== placeOf(after.source),
    isSignerNew: before === undefined || before.signer !== after.signer,
    isProofLost: findLostProof(before?.provenance, after.provenance) !== undefined,
    dependencies: {
      added: Object.keys(fresh).filter((place) => !Object.hasOwn(old, place)).length,
      removed: Object.keys(old).filter((place) => !Object.hasOwn(fresh, place)).length,
      changed: Object.entries(fresh).filter(
        ([place, {version}]) => Object.hasOwn(old, place) && old[place]?.version !== version,
      ).length,
    },
  };
}

/**
 * Whether somebody has to say yes once more: to more than before, from elsewhere, by another signer, or with less proof
 * of where it was built.
 */
export function needsConsent({
  newCapabilities,
  newReplaced,
  isSourceNew,
  isSignerNew,
  isProofLost,
}: PluginChange): boolean {
  return newCapabilities.length > 0 || newReplaced.length > 0 || isSourceNew || isSignerNew || isProofLost;
}

/** A source without what changes from version to version. */
function placeOf(source: PluginSource): string {
  if (source.type === 'registry') return `registry ${source.registry}`;
  if (source.type === 'bundle') return `bundle ${source.bundle}`;
  return `${source.type} ${source.location}`;
}
