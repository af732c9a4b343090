import type {OutcomeName} from '../contract.js';
import {isTable} from '../is-table.js';
import type {ProcessEnd} from '@gemini-kernel/processes';

/** What a hook says, in the words of both programs. */
export interface HookAnswer {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput?: boolean;
  readonly systemMessage?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
}

export interface ReadOutcome {
  readonly outcome: OutcomeName;
  readonly answer?: HookAnswer;
  readonly text: string;
  /** The text is that of standard error. */
  readonly isError?: true;
}

/** The outcome of a process. Standard output counts before standard error, JSON before the exit code. */
export function readOutcome(end: ProcessEnd): ReadOutcome {
  const out = decode(end.stdout);
  const text = (out?.trim() || decode(end.stderr)?.trim()) ?? '';
  return {...readWords(end, out, text), ...(text === '' || out?.trim() ? {} : {isError: true})};
}

function readWords(end: ProcessEnd, out: string | undefined, text: string): ReadOutcome {
  const broken = brokenOutcome(end);
  if (broken) return {outcome: broken, text};
  if (out === undefined) return {outcome: 'garbled', text: ''};
  const parsed = parse(out.trim() || text);
  if (parsed === 'garbled') return {outcome: 'garbled', text};
  if (parsed) return {outcome: 'answered', answer: parsed, text};
  return {outcome: byExitCode(end.exitCode ?? 0, text, out.trim() !== ''), text};
}

function brokenOutcome({by}: ProcessEnd): OutcomeName | undefined {
  if (by === 'start') return 'unstarted';
  if (by === 'timeout') return 'late';
  if (by === 'output') return 'excessive';
  return by === 'signal' ? 'killed' : undefined;
}

function byExitCode(code: number, text: string, hasOutput: boolean): OutcomeName {
  if (code === 0) return text === '' ? 'silent' : 'text';
  if (code === 1) return 'warned';
  // What bash says when it cannot start the program. A program that prints has started.
  if ((code === 126 || code === 127) && !hasOutput) return 'unstarted';
  return text === '' ? 'mute' : 'refused';
}

/** Undefined when it is binary. */
function decode(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined;
    throw error;
  }
}

/** An answer; undefined for text that does not claim to be JSON. */
function parse(text: string): HookAnswer | 'garbled' | undefined {
  if (!/^[{"]/.test(text)) return undefined;
  const value = readJson(text);
  const inner = typeof value === 'string' && value.trim().startsWith('{') ? readJson(value) : value;
  if (isTable(inner)) {
    const given = Object.fromEntries(Object.entries(inner).filter(([, one]) => one !== null));
    return isAnswer(given) ? given : 'garbled';
  }
  return text.startsWith('{') ? 'garbled' : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if ((error as {readonly name?: unknown}).name === 'SyntaxError') return undefined;
    throw error;
  }
}

const KINDS: Readonly<Record<keyof HookAnswer, (value: unknown) => boolean>> = {
  continue: (value) => typeof value === 'boolean',
  stopReason: (value) => typeof value === 'string',
  suppressOutput: (value) => typeof value === 'boolean',
  systemMessage: (value) => typeof value === 'string',
  decision: (value) => ['ask', 'block', 'deny', 'approve', 'allow'].includes(String(value)),
  reason: (value) => typeof value === 'string',
  hookSpecificOutput: isTable,
};

function isAnswer(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & HookAnswer {
  return Object.entries(KINDS).every(([key, fits]) => value[key] === undefined || fits(value[key]));
}
