import type {ErrorTable} from '../contract/error.js';

/** Every code the kernel throws. */
export const kernelErrors: ErrorTable = {
  CAPABILITY_REFUSED: {
    when: 'A tool of an installed plugin needs an optional capability, and no one granted it.',
  },
  CAPABILITY_UNDECLARED: {
    when: 'A tool of an installed plugin touches what its plugin does not declare among its capabilities.',
  },
  GUARDS_UNPROVEN: {when: 'A guard of tool calls does not refuse what it must, and the start requires that.', exit: 52},
  HOOK_FAILED: {when: 'A critical or wrapping listener failed, so the act it belongs to was stopped.'},
  HOOK_NOT_OWNED: {when: 'A plugin announced a moment that it does not own.'},
  PLUGIN_BROKEN: {when: 'A contribution could not be imported, or its file does not export what the manifest says.'},
  SERVICE_CIRCLE: {when: 'Services wait for each other while being created.'},
  SERVICE_FAILED: {when: 'A service threw, or took too long, while being created.'},
  SERVICE_MISSING: {when: 'No installed plugin provides a service.'},
  SERVICE_SCOPE: {when: 'A service that lives as long as the program asked for one that lives as long as a session.'},
  SERVICE_UNDECLARED: {when: 'A plugin asked for a service that its manifest does not require.'},
  TOOL_CRASHED: {when: 'A tool threw something that is neither a ToolError nor a KernelError: a bug of its plugin.'},
  TOOL_EDIT_UNSUPPORTED: {when: 'A person edited what a call was to write, and its tool cannot take another text.'},
  TOOL_INPUT_INVALID: {when: 'The input of a call does not fit the schema of the tool.'},
  TOOL_UNKNOWN: {when: 'No tool has that name.'},
};
