import type {} from '@gemini-kernel/kernel';

export type CatalogKind = 'extension' | 'plugin';

/** A place that is searched: a catalog, or a registry of npm. */
export interface SearchedSource {
  /** What `--source` takes: the name of a catalog, or the host of a registry. */
  readonly name: string;
  readonly type: 'catalog' | 'registry';
  readonly location: string;
  /** The administrator named it. */
  readonly isManaged?: true;
  /** The known key that signed a catalog; absent for one that no known key signed. */
  readonly signedBy?: string;
  /** When a catalog was fetched that is used without asking its server again, because it does not answer. */
  readonly fetched?: string;
  /** How many things of the searched kind it has, or how many a registry found. */
  readonly entries: number;
  /** Why it is not used, or why what was fetched before is used. A sentence. */
  readonly fault?: string;
  readonly hint?: string;
}

/** Whether the rules in force would let something in. Says nothing about what can only be checked when it is there. */
export interface EntryVerdict {
  readonly allowed: boolean;
  /** Why not, as a sentence. */
  readonly reason?: string;
  /** What the rules ask for that is checked when it is installed. */
  readonly later?: readonly string[];
}

/** Something that was found. All texts are from elsewhere: on one line, bounded, without control characters. */
export interface CatalogEntry {
  readonly kind: CatalogKind;
  readonly name: string;
  readonly version?: string;
  readonly description: string;
  readonly author?: string;
  /** An ISO date. */
  readonly published?: string;
  /** The `name` of the source that it was found in. */
  readonly from: string;
  /** What the command that installs it takes. */
  readonly install: string;
  /**
   * How it was built: a repository that the catalog names, or `attested` where a registry has an attestation, which is
   * verified at the installation of a plugin.
   */
  readonly built?: {readonly from: string} | {readonly attested: true};
  /** What it may do, as far as the source says. */
  readonly does?: readonly string[];
  /** Of plugins. Rules about extensions are those of the plugin that has them. */
  readonly verdict?: EntryVerdict;
}

export interface CatalogQuery {
  readonly kind: CatalogKind;
  /** All of them must be there; none finds everything. `@scope` finds what has that scope. */
  readonly words: readonly string[];
  readonly limit: number;
  /** The name of the only source to search. */
  readonly source?: string;
}

export interface CatalogFinding {
  readonly entries: readonly CatalogEntry[];
  readonly sources: readonly SearchedSource[];
  /** More was found than `limit`. */
  readonly hasMore: boolean;
}

/** The service `catalogs`: finds plugins and extensions, and fetches none of them. */
export interface Catalogs {
  /** The catalogs, read or fetched, in their order. */
  list(): Promise<readonly SearchedSource[]>;
  /**
   * Searches all sources at once. Throws KernelError CATALOG_UNKNOWN for a source that is not there, and
   * CATALOG_UNREACHABLE when no source answers.
   */
  find(query: CatalogQuery): Promise<CatalogFinding>;
  /** What was found, as lines for a person; what to do next, where nothing was. */
  describe(finding: CatalogFinding): Promise<readonly string[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    catalogs: Catalogs;
  }
}
