import {spawn} from 'node:child_process';
import {messageOf} from '@gemini-kernel/kernel';
import {strictness} from '../engine/walk.js';
import type {CheckContext, CheckVerdict} from './verdict.js';

/** The program behind the name of an external checker. */
export interface CheckerProgram {
  readonly command: string;
  readonly args: readonly string[];
}

const LIMIT_MS = 5000;
const GRACE_MS = 200;
const MOST_OUTPUT = 1 << 20;

/**
 * Asks a program: JSON on its standard input, JSON on its standard output, five seconds. Whatever goes wrong is a
 * refusal.
 */
export async function askProgram(context: CheckContext, program: CheckerProgram | undefined): Promise<CheckVerdict> {
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
    return readVerdict(checker.name, await run(program, JSON.stringify(question), context));
  } catch (error) {
    return refuse(`The checker ${checker.name} failed: ${messageOf(error)}`);
  }
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

function run({command, args}: CheckerProgram, question: string, {cwd, signal}: CheckContext): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {cwd, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true});
    let output = '';
    let fault: string | undefined;
    let grace: NodeJS.Timeout | undefined;
    // Nothing continues before the program is gone, so that none is left behind.
    const stop = (reason: string): void => {
      fault ??= reason;
      child.kill('SIGTERM');
      grace ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    };
    const timer = setTimeout(() => stop(`it did not answer within ${LIMIT_MS / 1000} seconds.`), LIMIT_MS);
    const abort = (): void => stop('the call was given up.');
    signal.addEventListener('abort', abort, {once: true});
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (output.length <= MOST_OUTPUT) output += chunk;
      else stop('it answered more than a megabyte.');
    });
    // A program that does not read its input may be gone before all of it is written; its answer counts.
    child.stdin.on('error', () => undefined).end(question);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      // A program that it started may still write; nothing reads that, and it must not keep this process alive.
      child.stdout.destroy();
      signal.removeEventListener('abort', abort);
      finish();
    };
    child.on('error', (error) => settle(() => reject(error)));
    child.on('exit', () => {
      if (fault !== undefined) settle(() => reject(new Error(fault)));
      // A program that it started may hold its output open; what the checker itself wrote is read by then.
      else grace = setTimeout(() => child.stdout.destroy(), GRACE_MS);
    });
    child.on('close', (code, killer) =>
      settle(() => {
        if (code === 0) resolve(output);
        else reject(new Error(killer ? `it was ended by ${killer}.` : `it ended with code ${String(code)}.`));
      }),
    );
  });
}
