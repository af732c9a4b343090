// What programs that start a kernel use. Plugin authors use '@gemini-kernel/kernel'.
export {boot, type BootOptions, type Kernel} from './boot.js';
export {brandOf} from './contract/brand.js';
export type {CallOptions, CallRequest, Question, ToolInfo, ToolOutcome} from './contract/call.js';
export {declaredPath, includesCapability, type Capability} from './catalog/capability.js';
export {capabilityOf, findUndeclared} from './calls/check-touches.js';
export {createCatalog, type Catalog, type Refusal} from './catalog/catalog.js';
export {KERNEL, type CatalogPlugin} from './catalog/catalog-plugin.js';
export {messageOf} from './contract/error.js';
export {findFilterFault} from './catalog/filter-fault.js';
export {kernelErrors} from './catalog/kernel-errors.js';
export {createLiveCatalog, type LiveCatalog} from './catalog/live-catalog.js';
export {brokenPlugin, type Elsewhere, type ImportFile} from './hooks/load.js';
export {
  type CommandEntry,
  type HostEntries,
  type ListenerEntry,
  type Manifest,
  type ServiceEntry,
  type ToolEntry,
} from './contract/manifest.js';
export {kernelHooks} from './contract/moments/index.js';
export type {GuardReport, OpenOptions, PlaceOptions, Session} from './contract/session-handle.js';
export {findViolations, useValidators, writeValidators} from './catalog/schema.js';
export {knownSchemas} from './known-schemas.js';
export {resultSchema} from './contract/tool-call.js';
export {sourcedToolSchema} from './contract/source.js';
export {formSchema} from './calls/check-form.js';
export type {Span} from './contract/span.js';
export type {Trace} from './hooks/trace.js';
export {KERNEL_VERSION, satisfies} from './catalog/version.js';
