// Types for others: what `gemini plugins … --json` prints.
export type {AuditedDependency, AuditedPlugin} from './install/report/audit-plugins.js';
export type {BuildProof, Builds, FetchedArchive} from './install/fetch/provenance/builds.js';
export type {
  CatalogEntry,
  CatalogFinding,
  CatalogKind,
  CatalogQuery,
  Catalogs,
  EntryVerdict,
  SearchedSource,
} from './catalog/catalogs.js';
export type {InspectedPlugin} from './install/inspect-plugin.js';
export type {InstalledPlugin} from './install/install-plugin.js';
export type {ListedPlugin} from './install/report/list-plugins.js';
export type {Rollback} from './install/roll-back.js';
export type {UpdatedPlugin} from './install/update-plugins.js';
export type {VerifiedPlugin} from './install/report/verify-plugins.js';
