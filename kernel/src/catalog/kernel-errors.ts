import type {ErrorTable} from '../contract/error.js';

/** Every code the kernel throws. */
export const kernelErrors: ErrorTable = {
  CALL_REFUSED: {when: 'A gate denied a call, or nobody was there to confirm it.'},
  CAPABILITY_UNDECLARED: {
    when: 'A tool of an installed plugin touches what its plugin does not declare among its capabilities.',
  },
  COMMAND_UNKNOWN: {when: 'The first words are no command of an installed plugin.', exit: 127},
  CWD_MISSING: {when: 'The current directory was deleted, or may not be entered.', exit: 42},
  FLAGS_CONFLICT: {when: 'Two flags that set the same thing were given together.'},
  GUARDS_UNPROVEN: {when: 'A guard of tool calls does not refuse what it must, and the start requires that.', exit: 52},
  HOME_FOREIGN: {when: 'Root runs the program with the home folder of another user.', exit: 52},
  HOME_MISSING: {when: 'HOME is not set, and the system does not know the user that the program runs as.', exit: 42},
  HOOK_FAILED: {when: 'A critical or wrapping listener failed, so the act it belongs to was stopped.'},
  HOOK_NOT_OWNED: {when: 'A plugin announced a moment that another plugin owns, or that nobody owns.'},
  INSTALLS_UNRELIABLE: {when: 'What a person installed or applied cannot be read, or others may change it.', exit: 52},
  LOCK_UNREADABLE: {when: 'A plugins.lock.json is damaged, or may not be read.', exit: 52},
  MANAGED_UNMET: {
    when:
      'The rules of an administrator cannot be relied on, or ask for what is not there, and ' +
      'nobody is at a terminal.',
    exit: 52,
  },
  MANIFEST_INVALID: {when: 'A gemini.plugin.json does not follow the published schema.'},
  MANIFEST_UNREADABLE: {when: 'A gemini.plugin.json is missing or not JSON.'},
  PLUGIN_BROKEN: {when: 'A contribution could not be imported, or its file does not export what the manifest says.'},
  RUN_HUNG_UP: {when: 'SIGHUP ended a command.', exit: 129},
  RUN_INTERRUPTED: {when: 'SIGINT (Ctrl+C) ended a command.', exit: 130},
  RUN_TERMINATED: {when: 'SIGTERM ended a command.', exit: 143},
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
