// What plugin authors use. Hosts that start a kernel use '@gemini-kernel/kernel/host'.
export * from './environment.js';
export * from './error.js';
export * from './flag.js';
export * from './hook.js';
export * from './json-schema.js';
export * from './nearest.js';
export * from './service.js';
export * from './session.js';
export * from './tool.js';
export * from './visible.js';
export type {CallOptions, CallRequest, ToolInfo, ToolOutcome} from './call.js';
export type * from './moments/index.js';
