export type CatalogKind = 'extension' | 'plugin';
export interface SearchedSource {
  readonly name: string;
  readonly type: 'catalog' | 'registry';
  readonly location: string;
  readonly isManaged?: true;
  readonly signedBy?: string;
  readonly fetched?: string;
  readonly entries: number;
  readonly fault?: string;
  readonly hint?: string;
}
export interface EntryVerdict {
  readonly allowed: boolean;
  readonly reason?: string;
  readonly later?: readonly string[];
}
export interface CatalogEntry {
  readonly kind: CatalogKind;
  readonly name: string;
  readonly version?: string;
  readonly description: string;
  readonly author?: string;
  readonly published?: string;
  readonly from: string;
  readonly install: string;
  readonly built?:
    | {
        readonly from: string;
      }
    | {
        readonly attested: true;
      };
  readonly does?: readonly string[];
  readonly verdict?: EntryVerdict;
}
export interface CatalogQuery {
  readonly kind: CatalogKind;
  readonly words: readonly string[];
  readonly limit: number;
  readonly source?: string;
}
export interface CatalogFinding {
  readonly entries: readonly CatalogEntry[];
  readonly sources: readonly SearchedSource[];
  readonly hasMore: boolean;
}
export interface Catalogs {
  list(): Promise<readonly SearchedSource[]>;
  find(query: CatalogQuery): Promise<CatalogFinding>;
  describe(finding: CatalogFinding): Promise<readonly string[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    catalogs: Catalogs;
  }
}
