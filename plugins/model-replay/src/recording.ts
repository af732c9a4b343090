import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {ModelEvent} from '@gemini-kernel/plugin-agent/contract';
import {toEvents, type CannedResponse} from './canned-response.js';

/** A recording is read whole. */
const LARGEST = 256 * 2 ** 20;

/** One line of a recording: what a model said to one request. */
export interface RecordedAnswer {
  readonly method: 'stream';
  readonly model: string;
  readonly response: readonly ModelEvent[];
}

const STREAMS = ['generateContentStream', 'generateContent'];

/**
 * The answers in a recording, ours or a canned file of the Gemini API's responses, in order. Throws KernelError
 * RECORDING_UNREADABLE.
 */
export async function readRecording(file: string): Promise<readonly (readonly ModelEvent[])[]> {
  const text = await readText(file, {limit: LARGEST}).catch((cause: unknown) => {
    throw new KernelError('RECORDING_UNREADABLE', `Cannot read the recording ${file}: ${messageOf(cause)}`, {
      cause,
      hint: 'Create one with --record-responses.',
    });
  });
  let calls = 0;
  const nextId = (): string => `replayed-${(calls += 1)}`;
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : readLine(line, {place: `${file}, line ${index + 1}`, nextId}),
    );
}

function readLine(
  line: string,
  {place, nextId}: {place: string; nextId: () => string},
): readonly (readonly ModelEvent[])[] {
  const fail = (why: string, cause?: unknown): never => {
    throw new KernelError('RECORDING_UNREADABLE', `${place} is not a recorded answer: ${why}`, {
      cause,
      hint: 'Each line is {"method": …, "response": …}, as --record-responses writes it.',
    });
  };
  let value: {readonly method?: unknown; readonly response?: unknown};
  try {
    value = JSON.parse(line) as typeof value;
  } catch (error) {
    return fail(messageOf(error), error);
  }
  const {method, response} = value ?? {};
  if (method === 'stream' && Array.isArray(response)) return [response as ModelEvent[]];
  if (typeof method === 'string' && STREAMS.includes(method))
    return [toEvents([response].flat() as CannedResponse[], nextId)];
  // Counts and embeddings are computed again.
  if (method === 'countTokens' || method === 'embedContent') return [];
  return fail(`its method is ${JSON.stringify(method)}.`);
}
