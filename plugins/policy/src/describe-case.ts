import {isKernelError, isToolError, KernelError, messageOf, type ToolCall} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';

interface Given {
  readonly tool: string;
  /** A JSON object as text, or the object. */
  readonly input: string | Readonly<Record<string, unknown>> | undefined;
  /** `key=value` words. */
  readonly pairs?: readonly string[];
  readonly server?: string;
}

/**
 * The call that is asked about. Of a tool that is not installed it is what its name and input say; nothing is
 * known of what it touches.
 */
export async function describeCase(session: Session, {tool, input, pairs = [], server}: Given): Promise<ToolCall> {
  const whole = {...parseInput(input), ...Object.fromEntries(pairs.map(parsePair))};
  const call: ToolCall = {
    id: 'asked',
    tool,
    effect: 'other',
    annotations: {},
    input: whole,
    touches: [],
    session: {...session.info},
    ...(server === undefined ? {} : {server}),
  };
  const tools = await session.tools();
  if (!tools.some(({name}) => name === tool)) return call;
  try {
    return {...(await session.describe({tool, input: whole})), ...(server === undefined ? {} : {server})};
  } catch (error) {
    if ((isKernelError(error) || isToolError(error)) && error.code === 'TOOL_INPUT_INVALID') {
      throw new KernelError('CALL_UNCLEAR', error.message, {
        hint: `Give the input of a whole call: gemini tools describe ${tool} shows it.`,
        cause: error,
      });
    }
    throw error;
  }
}

function parseInput(input: Given['input']): Readonly<Record<string, unknown>> {
  if (typeof input !== 'string') return input ?? {};
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new Error('It is not an object.');
  } catch (cause) {
    throw new KernelError('CALL_UNCLEAR', `--args cannot be read: ${messageOf(cause)}`, {
      cause,
      hint: 'Give a JSON object.',
    });
  }
}

function parsePair(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw new KernelError('CALL_UNCLEAR', `"${word}" is not of the form key=value.`, {
    hint: 'Give values that are no text by --args, as JSON.',
  });
}
