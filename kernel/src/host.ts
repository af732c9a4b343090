// What programs that start a kernel use. Plugin authors use '@gemini-kernel/kernel'.
// Of admission only what a start needs: the rest, in '/admission', loads node:crypto.
export {lendPackages} from './admission/lend-packages.js';
export {readLock, storeName, type LockedPlugin, type PluginsLock} from './admission/lock.js';
export {checkOwner, markManaged, readManagedRules, type ManagedReading} from './admission/read-managed-rules.js';
export {verifyTree} from './admission/verify-tree.js';
export {findRefusal, mustProve} from './admit.js';
export {boot, type Kernel} from './boot.js';
export {brandOf} from './brand.js';
export type {CallOptions, CallRequest, Question, ToolInfo, ToolOutcome} from './call.js';
export {createCatalog, KERNEL, type Catalog, type CatalogPlugin, type Refusal} from './catalog.js';
export {messageOf} from './error.js';
export {findFilterFault} from './filter.js';
export {kernelErrors} from './kernel-errors.js';
export type {GuardReport} from './guards.js';
export {createLiveCatalog, type LiveCatalog} from './live-catalog.js';
export {brokenPlugin, type ImportFile} from './load.js';
export {
  readManifest,
  type CommandEntry,
  type ListenerEntry,
  type Manifest,
  type ServiceEntry,
  type ToolEntry,
} from './manifest.js';
export {kernelHooks} from './moments/index.js';
export type {Session} from './open-session.js';
export {placesBelow} from './places-below.js';
export {findViolations, useValidators, writeValidators} from './schema.js';
export {resultSchema} from './tool.js';
export type {Span, Trace} from './trace.js';
export {KERNEL_VERSION, satisfies} from './version.js';
