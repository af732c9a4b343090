import type {LockedPlugin, PluginSource} from '@gemini-kernel/admission';
import {findLostProof} from './describe-provenance.js';

/** What differs between the plugin that was agreed to and its replacement. */
export interface PluginChange {
  readonly newCapabilities: readonly string[];
  readonly droppedCapabilities: readonly string[];
  readonly newReplaced: readonly string[];
  readonly isSourceNew: boolean;
  readonly isSignerNew: boolean;
  /** Whether its place of build was proven, and now is not, or is another one. */
  readonly isProofLost: boolean;
  readonly dependencies: {readonly added: number; readonly removed: number; readonly changed: number};
}

/** Compares an entry of a lock with its replacement. */
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
 * Whether the person must agree again: to more capabilities, another source, another signer, or weaker proof of where
 * it was built.
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

/** A source without the parts that change from version to version. */
function placeOf(source: PluginSource): string {
  if (source.type === 'registry') return `registry ${source.registry}`;
  if (source.type === 'bundle') return `bundle ${source.bundle}`;
  return `${source.type} ${source.location}`;
}
