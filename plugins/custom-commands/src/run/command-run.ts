import {KernelError, type Environment, type SessionTools, type Tell, type ToolOutcome} from '@gemini-kernel/kernel';
import type {PromptPart} from '@gemini-kernel/plugin-agent/contract';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {CustomCommand, TemplatePart} from '../contract.js';
import {argumentAt, composeCommand} from '../template/compose-command.js';
import {shellOf} from '../template/shell-kind.js';
import {joinTexts} from './join-texts.js';
import {readMentioned} from './read-mentioned.js';

const SHELL = 'run_shell_command';

export interface RunParts {
  readonly command: CustomCommand;
  /** The whole line, and the text after the name, as typed. */
  readonly line: string;
  readonly text: string;
  readonly tools: SessionTools;
  readonly workspace: Workspace;
  readonly tell: Tell;
  readonly environment: Pick<Environment, 'platform'>;
  readonly signal: AbortSignal;
}

/** One use of a command. */
export class CommandRun {
  constructor(private readonly parts: RunParts) {}

  /**
   * The prompt: first files are read, then shell commands run, one after the other. Throws KernelError
   * CUSTOM_COMMAND_REFUSED, CUSTOM_COMMAND_FAILED and CUSTOM_COMMAND_INVALID, and the reason of the signal.
   */
  async fill(): Promise<readonly PromptPart[]> {
    const {command, line, text} = this.parts;
    const filled = new Map<TemplatePart, readonly PromptPart[]>();
    for (const part of command.parts) if (part.kind === 'file') filled.set(part, await readMentioned(part, this.parts));
    for (const part of command.parts)
      if (part.kind === 'shell') filled.set(part, [{text: await this.#run(part)}]);
      else if (part.kind === 'text') filled.set(part, [{text: part.text}]);
      else if (part.kind === 'arguments') filled.set(part, [{text: argumentAt(part, text)}]);
    const all = command.parts.flatMap((part) => filled.get(part) ?? []);
    const isComplete = text === '' || command.parts.some(takesArguments);
    return joinTexts(isComplete ? all : [...all, {text: `\n\n${line}`}]);
  }

  /** What a shell command prints, and how it ended if it failed. */
  async #run({pieces}: Extract<TemplatePart, {kind: 'shell'}>): Promise<string> {
    const {line, text, tools, tell, environment, signal} = this.parts;
    const [name = line] = line.split(/\s/, 1);
    const command = composeCommand(pieces, text, shellOf(environment));
    if (command.trim() === '') return '';
    tell({level: 'info', code: 'CUSTOM_COMMAND_SHELL', sentence: `${name} calls ${SHELL}: ${command}`});
    const outcome = await tools.call({tool: SHELL, input: {command}}, {signal});
    if (outcome.status !== 'done') throw describeEnd(name, command, outcome);
    const {plain, model, data} = outcome.result;
    const {exitCode, signal: killer} = (data ?? {}) as {readonly exitCode?: unknown; readonly signal?: unknown};
    const output = plain ?? (typeof model === 'string' ? model : '');
    if (typeof exitCode === 'number' && exitCode !== 0)
      return `${output}\n[Shell command '${command}' exited with code ${exitCode}]`;
    return typeof killer === 'string'
      ? `${output}\n[Shell command '${command}' terminated by signal ${killer}]`
      : output;
  }
}

function takesArguments(part: TemplatePart): boolean {
  if (part.kind === 'shell') return part.pieces.some(({kind}) => kind === 'arguments');
  return part.kind === 'arguments';
}

function describeEnd(name: string, command: string, outcome: Exclude<ToolOutcome, {status: 'done'}>): KernelError {
  if (outcome.status === 'refused')
    return new KernelError('CUSTOM_COMMAND_REFUSED', `${name} did not run ${command}: ${outcome.reason}`);
  const {message, hint, cause} = outcome.error;
  return new KernelError('CUSTOM_COMMAND_FAILED', `${name} could not run ${command}: ${message}`, {
    cause,
    ...(hint === undefined ? {} : {hint}),
  });
}
