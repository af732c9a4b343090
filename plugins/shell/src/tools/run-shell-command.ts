import {defineTool, ToolError, type ToolCall, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {
  finishedData,
  finishedDisplay,
  finishedText,
  startedData,
  startedDisplay,
  startedText,
} from '../command-text.js';
import {additionalPermissions, describePermissions, toGrant} from '../additional-permissions.js';
import type {} from '../contract.js';

const DEFAULT_DELAY_MS = 200;

export default defineTool({
  name: 'run_shell_command',
  description:
    'Runs a command with bash -c (sh if there is no bash, PowerShell on Windows) and returns its output, ' +
    'including error output, in the order it was printed. There is no terminal: ' +
    ('nothing can be typed, no pager opens, and a program that asks for input gets end of input unless ' +
      'stdin is set, or interactive. Long output is shortened to its beginning and end. ') +
    ('A command that prints nothing for a long time, or runs too long, is stopped with all its processes. ' +
      'Start servers and watchers with is_background. ') +
    'Variables with secrets are withheld from commands. To signal the process group, use kill -- -PGID.',
  effect: 'execute',
  annotations: {readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true},
  input: {
    type: 'object',
    required: ['command'],
    properties: {
      command: {type: 'string', minLength: 1, description: 'The exact command line to run.'},
      description: {type: 'string', description: 'One sentence that tells the user what the command does.'},
      dir_path: {
        type: 'string',
        minLength: 1,
        description: 'The directory to run it in, inside the workspace; the working directory by default.',
      },
      is_background: {
        type: 'boolean',
        description: 'Run it in the background, and return with its first output.',
      },
      delay_ms: {
        type: 'integer',
        minimum: 0,
        maximum: 300_000,
        description: 'With is_background: how many milliseconds to wait for first output; 200 by default.',
      },
      stdin: {
        type: 'string',
        description: 'Text for its standard input, which is then closed. Without it, the input is empty.',
      },
      interactive: {
        type: 'boolean',
        description:
          'Give it a terminal in which the user can type, for a program that asks for what only the user knows, such ' +
          'as a login. Without a user at a terminal it counts for nothing.',
      },
      timeout_ms: {
        type: 'integer',
        minimum: 0,
        description: "Stop it after this many milliseconds; 0 for no limit. Default: the user's setting.",
      },
      inactivity_timeout_ms: {
        type: 'integer',
        minimum: 0,
        description:
          "Stop it after this many milliseconds without output; 0 for no limit. Default: the user's setting.",
      },
      additional_permissions: additionalPermissions,
    },
  },
  async touches({command, dir_path, stdin}, {service}) {
    if (command.trim() === '')
      throw new ToolError('COMMAND_BLANK', 'The command is blank.', {hint: 'Pass the command line to run.'});
    const workspace = await service('workspace');
    // The first root is the working directory, and is already a real path.
    const [root] = dir_path === undefined ? await workspace.roots() : [];
    const directory = root?.path ?? (await workspace.resolve(dir_path ?? '.'));
    return [
      {kind: 'path', value: directory, access: 'read'},
      {kind: 'command', value: command, access: 'run', directory, ...(stdin ? {hasInput: true} : {})},
    ];
  },
  async preview({command, stdin, additional_permissions}, {call}) {
    const input = stdin === undefined ? '' : `\n\nwith this input:\n${stdin}`;
    return {
      kind: 'command',
      command: `${command}${input}${describePermissions(additional_permissions)}`,
      directory: directoryOf(call),
    };
  },
  async run(
    {command, is_background, delay_ms, interactive, stdin, additional_permissions, ...limits},
    {call, service, signal, progress},
  ): Promise<ToolResult> {
    const processes = await service('processes');
    const request = {
      command,
      directory: directoryOf(call),
      stdin,
      timeoutMs: limits.timeout_ms,
      inactivityMs: limits.inactivity_timeout_ms,
      // A person who runs a line is there to type.
      wantsTerminal: interactive ?? call.asker === 'person',
      grants: additional_permissions && [toGrant(additional_permissions)],
      call,
    };
    const watch = {signal, progress};
    const outcome = is_background
      ? await processes.start(request, delay_ms ?? DEFAULT_DELAY_MS, watch)
      : await processes.attend(request, watch);
    if (!('isRunning' in outcome)) {
      return {
        model: finishedText(outcome),
        display: finishedDisplay(outcome),
        data: finishedData(outcome),
        plain: outcome.output.text,
      };
    }
    return {model: startedText(outcome), display: startedDisplay(outcome.pid), data: startedData(outcome)};
  },
});

/** The directory that was checked. */
function directoryOf({touches, tool}: ToolCall): string {
  const directory = touches.find(({kind}) => kind === 'command')?.directory;
  if (directory === undefined) throw new Error(`${tool} was called without the directory that it uses.`);
  return directory;
}
