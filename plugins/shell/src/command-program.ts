import type {ServiceContext, ToolCall} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-policy/contract';
import type {Confined, ExitWatch, Program} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {CommandRequest} from './contract.js';
import {commandVariables} from './command-variables.js';
import {shellArguments} from './platform.js';
import {terminalProgram, type TerminalSize} from './terminal-program.js';

interface Command {
  readonly shell: string;
  readonly command: string;
  readonly directory: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly isolateGit: boolean;
  readonly request: Pick<CommandRequest, 'grants' | 'call'>;
  /** The terminal that it gets. */
  readonly terminal: TerminalSize | undefined;
  /** Decides about what nothing grants. */
  readonly beyond: ExitWatch;
}

/** The program that runs a command: a shell, confined where a sandbox is on. Throws what the sandbox throws. */
export async function commandProgram(
  {names, service, session, environment: {platform}}: ServiceContext,
  {shell, command, directory, variables, isolateGit, terminal, beyond, request: {grants = [], call}}: Command,
): Promise<Program | Confined> {
  const plain = {
    file: shell,
    args: shellArguments(shell, command, platform),
    cwd: directory,
    variables: commandVariables(variables, {isolateGit, platform, hasTerminal: terminal !== undefined}),
  };
  // The terminal is made inside of the sandbox, so that the command is confined together with it.
  const program = terminal ? terminalProgram(plain, {shell, command, terminal}) : plain;
  if (names('sandbox').length === 0) return program;
  const [sandbox, workspace] = await Promise.all([service('sandbox'), service('workspace')]);
  const roots = (await workspace.roots()).map(({path}) => path);
  if (!(await sandbox.confines())) return (await sandbox.confine({...program, roots, mode: session.mode})) ?? program;
  const policy = call && names('policy').length > 0 ? await service('policy') : undefined;
  const rules = policy ? await policy.grants(call as ToolCall) : [];
  // What only looks at files needs no exit, and writes nothing. In a terminal the person sees what fails.
  const isQuiet = terminal !== undefined || (await policy?.onlyReads(call as ToolCall));
  const confining = {...program, roots, mode: session.mode, grants: [...rules, ...grants]};
  return isQuiet ? sandbox.force(confining) : sandbox.force(confining, beyond);
}
