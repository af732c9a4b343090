import {ToolError} from '@gemini-kernel/kernel';
import type {SearchAnswer, SearchHit} from '@gemini-kernel/plugin-web/contract';
import type {Candidate, GenerateContentResponse, GroundingChunkWeb, GroundingSupport} from '@google/genai';
import type {OpenApi} from './api.js';
import {untilAborted} from './until-aborted.js';

/** Asks a model that searches with Google, and gives its answer with numbered sources. */
export async function searchGrounded(
  query: string,
  {
    client,
    explain,
    model,
    signal,
  }: Pick<OpenApi, 'client' | 'explain'> & {readonly model: string; readonly signal: AbortSignal},
): Promise<SearchAnswer> {
  try {
    const asked = client.models.generateContent({
      model,
      contents: query,
      config: {tools: [{googleSearch: {}}], abortSignal: signal},
    });
    return readGrounded(await untilAborted(asked, signal));
  } catch (cause) {
    signal.throwIfAborted();
    const {message, hint} = await explain(cause, model, false);
    throw new ToolError('GROUNDING_FAILED', `The search failed: ${message}`, {
      cause,
      ...(hint === undefined ? {} : {hint}),
    });
  }
}

/** The answer with the numbers of its sources where they support it. */
export function readGrounded({candidates: [candidate] = []}: GenerateContentResponse): SearchAnswer {
  const text = textOf(candidate);
  const {groundingChunks = [], groundingSupports = []} = candidate?.groundingMetadata ?? {};
  const found = groundingChunks.map(({web}) => toHit(web));
  const hits = found.filter((hit) => hit !== undefined);
  const numbers = new Map(found.flatMap((hit, index) => (hit ? [[index, hits.indexOf(hit) + 1] as const] : [])));
  return {...(text.trim() === '' ? {} : {answer: cite(text, groundingSupports, numbers)}), hits};
}

function textOf(candidate: Candidate | undefined): string {
  return (candidate?.content?.parts ?? []).map(({thought, text = ''}) => (thought ? '' : text)).join('');
}

function toHit({uri, title}: GroundingChunkWeb = {}): SearchHit | undefined {
  return uri !== undefined && /^https?:\/\//.test(uri) ? {title: title ?? uri, url: uri} : undefined;
}

/** Positions are counted in bytes of UTF-8. */
function cite(text: string, supports: readonly GroundingSupport[], numbers: ReadonlyMap<number, number>): string {
  const bytes = Buffer.from(text);
  const marks = supports
    .flatMap(({segment, groundingChunkIndices = []}) => {
      const sources = groundingChunkIndices.flatMap((index) => numbers.get(index) ?? []);
      const end = segment?.endIndex;
      return end === undefined || sources.length === 0 ? [] : [{end, mark: sources.map((one) => `[${one}]`).join('')}];
    })
    .sort((a, b) => b.end - a.end);
  return marks.reduce<Buffer>((rest, {end, mark}) => insertAt(rest, end, mark), bytes).toString('utf8');
}

/** Never within a character: then the mark comes after it. */
function insertAt(bytes: Buffer, at: number, mark: string): Buffer {
  let end = Math.min(Math.max(0, at), bytes.length);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end += 1;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(mark), bytes.subarray(end)]);
}
