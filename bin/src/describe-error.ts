import {isKernelError, isToolError} from '@gemini-kernel/kernel';
import {hostHints} from './host-hints.js';

interface Failure {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly exit: number;
}

interface Report {
  /** For people, on standard error; absent when there is nothing to say. */
  readonly text?: string;
  /** For programs, on standard output. */
  readonly json?: {readonly error: Failure};
  readonly exit: number;
}

type MissingArguments = readonly {readonly name: string; readonly description?: string}[];

interface OclifError {
  readonly code?: string;
  readonly oclif?: {readonly exit?: number | false};
  /** Definitions of missing arguments, or words that are too many. */
  readonly args?: readonly unknown[];
}

/** The lines of a message, without one that only announces the next. */
function linesOf(message: string): readonly string[] {
  const lines = message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length > 1 && lines[0]?.endsWith(':') ? lines.slice(1) : lines;
}

function isMissing(args: readonly unknown[] | undefined): args is MissingArguments {
  return args !== undefined && args.length > 0 && args.every((arg) => typeof arg === 'object');
}

/** oclif's own words for this speak of flags that were not given. */
function describeMissing(args: MissingArguments): readonly string[] {
  const named = args.map(
    ({name, description}) => `${name}${description ? ` (${description.replace(/\.$/, '')})` : ''}`,
  );
  return [
    `Missing ${named.length === 1 ? 'argument' : 'arguments'}: ${named.join(', ')}.`,
    'Run the command with --help to see what it takes.',
  ];
}

/** An error as people and programs should see it. */
export function describeError(error: unknown, exitCodeOf: (code: string) => number): Report {
  if (isKernelError(error) || isToolError(error)) {
    const {code, message, name, hint = hostHints[code]} = error;
    const exit = exitCodeOf(code);
    return createReport({type: name, code, message, ...(hint ? {hint} : {}), exit});
  }
  const thrown = (error ?? {}) as Partial<Error> & OclifError;
  const {message = String(error), name = 'Error', stack} = thrown;
  if (thrown.oclif) return describeUsage(thrown, {message, name});
  return {
    exit: 1,
    text: `This is a bug: ${stack ?? message}`,
    json: {error: {type: name, code: 'BUG', message, exit: 1}},
  };
}

/** An error of oclif's, in our words. */
function describeUsage({oclif, args, code}: OclifError, {message, name}: Pick<Error, 'message' | 'name'>): Report {
  const exit = typeof oclif?.exit === 'number' ? oclif.exit : 1;
  // How oclif's `this.exit(n)` ends a command: with a code and nothing to say.
  if (code === 'EEXIT') return {exit};
  const [sentence = '', ...rest] = isMissing(args) ? describeMissing(args) : linesOf(message);
  const hint = rest
    .join('\n')
    .replace('See more help with --help', 'Run the command with --help to see what it takes.');
  return createReport({type: name, code: 'USAGE_WRONG', message: sentence, ...(hint ? {hint} : {}), exit});
}

function createReport(error: Failure): Report {
  const {message, hint, exit} = error;
  return {exit, text: hint ? `${message}\n${hint}` : message, json: {error}};
}
