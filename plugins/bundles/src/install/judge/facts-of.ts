import type {LockedPlugin, PluginFacts} from '@gemini-kernel/admission';
import {omitUndefined} from '../../omit-undefined.js';

/** What the administrator's rules are asked about a plugin, as its lock has it. */
export function factsOf(
  name: string,
  {version, source, capabilities, integrity, tree, signer, provenance}: LockedPlugin,
): PluginFacts {
  return {name, version, source, capabilities, ...omitUndefined({integrity, tree, signer, provenance})};
}
