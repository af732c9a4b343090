import type {CatalogPlugin, HostEntries, Manifest} from '@gemini-kernel/kernel/host';
import type {PluginPackage} from '../plugin-package.js';

/** One thing that a check found. An error keeps the plugin from being packed. */
export interface Finding {
  readonly level: 'error' | 'warning';
  /** Which check: `names`, `capabilities` and so on. */
  readonly code: string;
  readonly sentence: string;
}

/** A compiled plugin under examination, and those it would stand beside. */
export interface Subject {
  readonly root: string;
  readonly manifest: Manifest;
  readonly pjson: PluginPackage;
  /** Text of each compiled file, by its path. */
  readonly code: ReadonlyMap<string, string>;
  readonly others: readonly CatalogPlugin[];
  readonly host: HostEntries;
  /** A plugin of the product may do what others may not. */
  readonly isOfProduct: boolean;
}

/** Findings of one check, all of one level. */
export function findingsOf(level: Finding['level'], code: string, sentences: readonly string[]): readonly Finding[] {
  return sentences.map((sentence) => ({level, code, sentence}));
}
