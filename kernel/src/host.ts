// What programs that start a kernel use. Plugin authors use '@gemini-kernel/kernel'.
export {findRefusal, hashTree, type AdmissionRules, type LockEntry} from './admit.js';
export {boot, type Kernel} from './boot.js';
export {brandOf} from './brand.js';
export type {CallOptions, CallRequest, Question, ToolInfo, ToolOutcome} from './call.js';
export {createCatalog, KERNEL, type Catalog, type CatalogPlugin, type Refusal} from './catalog.js';
export {messageOf} from './error.js';
export {findFilterFault} from './filter.js';
export {kernelErrors} from './kernel-errors.js';
export type {GuardReport} from './guards.js';
export {brokenPlugin, type ImportFile} from './load.js';
export {readManifest, type CommandEntry, type ListenerEntry, type Manifest, type ServiceEntry, type ToolEntry} from './manifest.js';
export {kernelHooks} from './moments/index.js';
export type {Session} from './open-session.js';
export {findViolations, useValidators, writeValidators} from './schema.js';
export {resultSchema} from './tool.js';
export type {Span, Trace} from './trace.js';
export {KERNEL_VERSION, satisfies} from './version.js';
