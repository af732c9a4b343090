import type {LockedPlugin} from '@gemini-kernel/admission';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {omitUndefined} from '../../omit-undefined.js';

type Origin = Pick<
  LockedPlugin,
  'version' | 'source' | 'integrity' | 'tree' | 'signer' | 'provenance' | 'dependencies'
>;

/** The lock entry of a plugin from its source and its manifest, without who agreed to it. */
export function lockedEntry(
  {capabilities = [], isolation, replaces = []}: Manifest,
  {version, source, integrity, tree, signer, provenance, dependencies = {}}: Origin,
): LockedPlugin {
  return {
    version,
    source,
    ...omitUndefined({integrity, tree}),
    capabilities,
    ...omitUndefined({isolation, signer, provenance}),
    ...(replaces.length > 0 ? {replaces} : {}),
    ...(Object.keys(dependencies).length > 0 ? {dependencies} : {}),
  };
}
