import type {CommandHost} from '@gemini-kernel/command';
import type {CommandCheck} from '../format/eval.js';
import type {Prepared} from '../run/prepare-project.js';
import {textFaults} from './text-faults.js';

const SHELL = 'run_shell_command';

/**
 * Runs the command of a check as a call of the shell tool: rules that deny it count, and it is confined where commands
 * are. Gives why it is not as expected, as sentences.
 */
export async function checkCommand(
  check: CommandCheck | undefined,
  prepared: Prepared,
  run: {readonly host: Pick<CommandHost, 'run'>; readonly signal: AbortSignal; readonly given: readonly string[]},
): Promise<readonly string[]> {
  if (check === undefined) return [];
  const {run: command, output, seconds} = check;
  const words = ['tools', 'call', '--yes', '--exit-code', '--json', ...run.given, '--args', JSON.stringify({command})];
  const end = await run.host.run([...words, SHELL], {
    directory: prepared.project,
    show: false,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    deadline: seconds * 1000,
    signal: run.signal,
  });
  const name = `The command ${JSON.stringify(command)}`;
  if (end.isLate) return [`${name} did not end within ${seconds} seconds.`];
  const {content = '', error} = readCall(end.stdout);
  if (error !== undefined) return [`${name} could not run: ${error}`];
  if (end.code !== 0) return [`${name} ended with ${end.code}: ${lastLines(content)}`];
  return textFaults(`The output of ${JSON.stringify(command)}`, content, {
    ...{contains: [], lacks: []},
    ...(output === undefined ? {} : {pattern: output}),
  });
}

function readCall(stdout: string): {readonly content?: string; readonly error?: string} {
  try {
    const printed = JSON.parse(stdout) as {readonly content?: string; readonly error?: {readonly message: string}};
    return printed.error ? {error: printed.error.message} : {content: printed.content ?? ''};
  } catch (error) {
    if (error instanceof SyntaxError) return {error: 'it printed no result.'};
    throw error;
  }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ').slice(-300) || 'it printed nothing.';
}
