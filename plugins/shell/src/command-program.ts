import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {commandVariables} from './command-variables.js';
import {shellArguments} from './platform.js';

interface Command {
  readonly shell: string;
  readonly command: string;
  readonly directory: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly isolateGit: boolean;
}

/** The program that runs a command: a shell, confined where a sandbox is on. Throws what the sandbox throws. */
export async function commandProgram(
  {names, service, session, environment: {platform}}: ServiceContext,
  {shell, command, directory, variables, isolateGit}: Command,
): Promise<Program | Confined> {
  const program = {
    file: shell,
    args: shellArguments(shell, command, platform),
    cwd: directory,
    variables: commandVariables(variables, {isolateGit, platform}),
  };
  if (names('sandbox').length === 0) return program;
  const [sandbox, workspace] = await Promise.all([service('sandbox'), service('workspace')]);
  const roots = (await workspace.roots()).map(({path}) => path);
  return (await sandbox.confine({...program, roots, mode: session.mode})) ?? program;
}
