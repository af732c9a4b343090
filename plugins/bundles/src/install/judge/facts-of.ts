import type {LockedPlugin, PluginFacts} from '@gemini-kernel/admission';
import {omitUndefined} from '../../omit-undefined.js';

/** The facts about a locked plugin that the administrator's rules are checked against. */
export function factsOf(
  name: string,
  {version, source, capabilities, integrity, tree, signer, provenance}: LockedPlugin,
): PluginFacts {
  return {name, version, source, capabilities, ...omitUndefined({integrity, tree, signer, provenance})};
}
