import {messageOf} from '@gemini-kernel/kernel';
import {passedVariables, runProcess, type ProcessEnd, type ProcessGroups} from '@gemini-kernel/processes';
import {strictness} from '../engine/walk.js';
import type {CheckContext, CheckVerdict} from './verdict.js';

/** The program behind the name of an external checker. */
export interface CheckerProgram {
  readonly command: string;
  readonly args: readonly string[];
}

const LIMIT_MS = 5000;

/**
 * Asks a program: JSON on its standard input, JSON on its standard output, five seconds. Whatever goes wrong is a
 * refusal.
 */
export async function askProgram(
  context: CheckContext,
  program: CheckerProgram | undefined,
  processes: ProcessGroups,
): Promise<CheckVerdict> {
  const {checker, call, cwd, roots} = context;
  const wanted = checker.context ?? ['environment', 'history'];
  if (!program)
    return refuse(
      `No program is configured for the checker ${checker.name} (setting security.checkers.${checker.name}).`,
    );
  const question = {
    protocolVersion: '1.0.0',
    toolCall: {name: call.tool, args: call.input},
    context: {
      ...(wanted.includes('environment') ? {environment: {cwd, workspaces: roots}} : {}),
      ...(wanted.includes('history') ? {history: {turns: []}} : {}),
    },
    config: checker.config,
  };
  try {
    const plain = {file: program.command, args: program.args, cwd, variables: passedVariables(context.variables)};
    const request = {
      ...((await context.confine?.(plain)) ?? plain),
      stderr: 'ignore',
      input: JSON.stringify(question),
      timeoutMs: LIMIT_MS,
    } as const;
    const end = await runProcess(processes, request, context.signal);
    const fault = faultOf(end);
    if (fault !== undefined) return refuse(`The checker ${checker.name} failed: ${fault}`);
    return readVerdict(checker.name, end.stdout.toString('utf8'));
  } catch (error) {
    return refuse(`The checker ${checker.name} failed: ${messageOf(error)}`);
  }
}

function faultOf({by, detail = '', exitCode}: ProcessEnd): string | undefined {
  if (by === 'timeout') return `it did not answer within ${LIMIT_MS / 1000} seconds.`;
  if (by === 'output') return 'it answered more than a megabyte.';
  if (by === 'signal') return `it was ended by ${detail}.`;
  if (by === 'start') return detail;
  return exitCode === 0 ? undefined : `it ended with code ${String(exitCode)}.`;
}

function refuse(reason: string): CheckVerdict {
  return {decision: 'deny', reason};
}

function readVerdict(name: string, output: string): CheckVerdict {
  const {decision, reason} = JSON.parse(output) as {readonly decision?: unknown; readonly reason?: unknown};
  const known = decision === 'ask_user' ? 'ask' : decision;
  if (typeof known !== 'string' || !(known in strictness))
    return refuse(`The checker ${name} answered ${JSON.stringify(decision)} where allow, deny or ask_user is due.`);
  return {
    decision: known as CheckVerdict['decision'],
    reason: typeof reason === 'string' ? reason : `The checker ${name} gave no reason.`,
  };
}
