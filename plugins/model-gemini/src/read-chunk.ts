import type {ModelEvent, ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {
  Candidate,
  FunctionCall,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  Part,
} from '@google/genai';
import {makeCallId} from './contents.js';

const BLOCKED = [
  'SAFETY',
  'PROHIBITED_CONTENT',
  'BLOCKLIST',
  'SPII',
  'RECITATION',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
];
const REASONS: Readonly<Record<string, 'stop' | 'length' | 'malformed'>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  MALFORMED_FUNCTION_CALL: 'malformed',
  UNEXPECTED_TOOL_CALL: 'malformed',
};

/** Reads an answer chunk by chunk, and remembers how it ended. */
export class AnswerReader {
  /** What was called under each id. */
  readonly #calls = new Map<string, string>();
  #end: ModelEvent | undefined;

  constructor(
    private readonly asked: {readonly model: string; readonly host: string},
    private readonly newId: () => string,
  ) {}

  /** How the answer ended; undefined if it was not reported. */
  get end(): ModelEvent | undefined {
    return this.#end;
  }

  read(response: GenerateContentResponse): readonly ModelEvent[] {
    const {candidates: [candidate] = [], usageMetadata} = response;
    this.#end = this.#readEnd(response, candidate) ?? this.#end;
    return [
      ...(candidate?.content?.parts ?? []).flatMap((part) => this.#readPart(part)),
      ...(usageMetadata ? [{kind: 'usage', usage: readUsage(usageMetadata)} as const] : []),
    ];
  }

  #readEnd(
    {promptFeedback, modelVersion}: GenerateContentResponse,
    {finishReason, finishMessage: detail}: Candidate = {},
  ): ModelEvent | undefined {
    if (promptFeedback?.blockReason)
      return this.#blocked('the prompt', promptFeedback.blockReason, promptFeedback.blockReasonMessage);
    if (!finishReason) return undefined;
    if (BLOCKED.includes(finishReason)) return this.#blocked('its answer', finishReason, detail);
    const reason = Object.hasOwn(REASONS, finishReason) ? (REASONS[finishReason] ?? 'other') : 'other';
    const said = reason === 'other' ? (detail ?? finishReason) : detail;
    return {
      kind: 'end',
      reason,
      ...(said === undefined ? {} : {detail: said}),
      ...(modelVersion === undefined ? {} : {model: modelVersion}),
    };
  }

  #readPart({text, thought, thoughtSignature, functionCall}: Part): readonly ModelEvent[] {
    const mark = thoughtSignature === undefined ? {} : {signature: thoughtSignature};
    if (functionCall) return this.#readCall(functionCall).map((call) => ({...call, ...mark}));
    // A signature may come on a piece without text, and goes back on it.
    return text || thoughtSignature !== undefined
      ? [{kind: thought ? 'thought' : 'text', text: text ?? '', ...mark}]
      : [];
  }

  /** Gives every call a unique id, under which it is answered; ignores repeated calls. */
  #readCall({
    id: given = '',
    name = '',
    args: input = {},
  }: FunctionCall): readonly Extract<ModelEvent, {kind: 'call'}>[] {
    const what = JSON.stringify([name, input]);
    if (this.#calls.get(given) === what) return [];
    const id = given !== '' && !this.#calls.has(given) ? given : makeCallId(this.newId());
    this.#calls.set(id, what);
    return [{kind: 'call', id, name, input}];
  }

  #blocked(what: string, reason: string, words: string | undefined): ModelEvent {
    const failure: ModelFailure = {
      kind: 'blocked',
      isFinal: true,
      message: `${this.asked.model} at ${this.asked.host} blocked ${what}: ${words ?? reason}.`,
      hint: 'Rephrase the prompt, or remove what the model may object to.',
    };
    return {kind: 'failed', failure};
  }
}

function readUsage(counts: GenerateContentResponseUsageMetadata): Extract<ModelEvent, {kind: 'usage'}>['usage'] {
  const {promptTokenCount: input = 0, candidatesTokenCount: output = 0, cachedContentTokenCount: cached = 0} = counts;
  const {thoughtsTokenCount: thoughts = 0, toolUsePromptTokenCount: tool = 0, totalTokenCount} = counts;
  return {input, output, cached, thoughts, tool, total: totalTokenCount ?? input + output + thoughts + tool};
}
