// What plugin authors use. Hosts that start a kernel use '@gemini-kernel/kernel/host'.
// First, so that the moments of the kernel join `Moments` before those of plugins do.
export type * from './contract/moments/index.js';
export type * from './contract/border.js';
export * from './contract/environment.js';
export * from './contract/error.js';
export * from './contract/flag.js';
export * from './contract/foreign.js';
export type * from './contract/form.js';
export * from './contract/hook.js';
export * from './contract/json-schema.js';
export * from './calls/form-fault.js';
export * from './calls/nearest.js';
export type {TypedCommand} from './contract/manifest.js';
export type * from './contract/notice.js';
export type * from './contract/registry.js';
export * from './contract/service.js';
export * from './contract/setting.js';
export * from './contract/session.js';
export type * from './contract/session-handle.js';
export type * from './contract/source.js';
export * from './contract/tool.js';
export * from './contract/tool-call.js';
export {brandOf} from './contract/brand.js';
export type {CallOptions, CallRequest, Question, SessionTools, ToolInfo, ToolOutcome} from './contract/call.js';
