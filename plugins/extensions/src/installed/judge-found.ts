import {isKernelError} from '@gemini-kernel/kernel';
import type {CatalogEntry, EntryVerdict} from '@gemini-kernel/plugin-bundles/contract';
import {parseAddress} from '../store/parse-source.js';
import {judgeSource, type SourceRules} from './judge-extensions.js';

/** Whether the rules would let in an extension that a search found. They speak of sources only. */
export function judgeFound({name, install}: Pick<CatalogEntry, 'install' | 'name'>, rules: SourceRules): EntryVerdict {
  try {
    const source = parseAddress(install);
    if (!source) return {allowed: false, reason: `${install} is not an address that extensions are installed from.`};
    const refused = judgeSource({name, source}, rules);
    return refused ? {allowed: false, reason: refused.sentence} : {allowed: true};
  } catch (error) {
    if (isKernelError(error)) return {allowed: false, reason: error.message};
    throw error;
  }
}
