import type {CatalogPlugin, HostEntries, Manifest} from '@gemini-kernel/kernel/host';
import type {PluginPackage} from '../plugin-package.js';

/** One finding of a check. An error prevents packing. */
export interface Finding {
  readonly level: 'error' | 'warning';
  /** Which check: `names`, `capabilities` and so on. */
  readonly code: string;
  readonly sentence: string;
}

/** A compiled plugin under check, and the catalog of the others. */
export interface Subject {
  readonly root: string;
  readonly manifest: Manifest;
  readonly pjson: PluginPackage;
  /** Text of each compiled file, by its path. */
  readonly code: ReadonlyMap<string, string>;
  readonly others: readonly CatalogPlugin[];
  readonly host: HostEntries;
  /** Plugins of the product have additional permissions. */
  readonly isOfProduct: boolean;
}

/** Findings of one check, all of the same level. */
export function findingsOf(level: Finding['level'], code: string, sentences: readonly string[]): readonly Finding[] {
  return sentences.map((sentence) => ({level, code, sentence}));
}
