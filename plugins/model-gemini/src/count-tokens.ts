import type {ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import type {CountTokensConfig, Tool} from '@google/genai';
import type {Access} from './access.js';
import type {Client} from './client.js';
import {toConfig, toContents} from './contents.js';
import {LONGEST_WAIT_MS, withLimit} from './time-limit.js';
import {untilAborted} from './until-aborted.js';

/** What a picture or a page costs. */
const MEDIA_TOKENS = 258;
const LETTERS_PER_TOKEN = 4;

interface Asking {
  readonly client: Client;
  readonly access: Access;
  readonly signal: AbortSignal | undefined;
  readonly limit?: AbortSignal;
}

/** Asks the API for the tokens of a request; estimates them if it does not answer. */
export async function countTokens(
  request: ModelRequest,
  asking: Asking,
): Promise<{readonly tokens: number; readonly isExact: boolean}> {
  const {client, access, signal, limit = AbortSignal.timeout(LONGEST_WAIT_MS)} = asking;
  const {model, messages} = request;
  const contents = toContents(messages, model);
  const {systemInstruction, tools} = toConfig(request);
  // These are declarations only: `toConfig` makes nothing else.
  const beside = {...(systemInstruction ? {systemInstruction} : {}), ...(tools ? {tools: tools as Tool[]} : {})};
  const either = withLimit(limit, signal);
  const leaving = {abortSignal: either};
  // The library knows this field of the API on Vertex only; elsewhere the whole request goes beside the contents, which
  // then do not count.
  const config: CountTokensConfig = access.isVertex
    ? {...beside, ...leaving}
    : {httpOptions: {extraBody: {generateContentRequest: {model: `models/${model}`, contents, ...beside}}}, ...leaving};
  try {
    const counted = await untilAborted(
      client.models.countTokens({model, contents: access.isVertex ? contents : 'x', config}),
      either,
    );
    if (counted.totalTokens !== undefined) return {tokens: counted.totalTokens, isExact: true};
  } catch (error) {
    signal?.throwIfAborted();
    if (!limit.aborted && !(error instanceof Error)) throw error;
  }
  return {tokens: estimateTokens(request), isExact: false};
}

/** The estimated tokens of a request. */
export function estimateTokens({system, messages, tools}: ModelRequest): number {
  const parts = messages.flatMap(({pieces}) =>
    pieces.flatMap((piece): readonly object[] => (piece.kind === 'result' ? piece.output : [piece])),
  );
  const isMedia = (part: object): boolean => 'data' in part || 'inlineData' in part;
  const letters = JSON.stringify([system, tools, parts.filter((part) => !isMedia(part))]).length;
  return Math.ceil(letters / LETTERS_PER_TOKEN) + parts.filter(isMedia).length * MEDIA_TOKENS;
}
