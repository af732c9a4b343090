import type {ModelEvent, TokenUsage} from '@gemini-kernel/plugin-agent/contract';

/** A response of the Gemini API, as far as canned files hold them. */
export interface CannedResponse {
  readonly candidates?: readonly Candidate[];
  readonly usageMetadata?: Readonly<Record<string, number>>;
  readonly modelVersion?: string;
}

interface Candidate {
  readonly content?: {readonly parts?: readonly CannedPart[]};
  readonly finishReason?: string;
  readonly finishMessage?: string;
}

interface CannedPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: {readonly id?: string; readonly name?: string; readonly args?: unknown};
}

const STOPPED: Readonly<Record<string, 'stop' | 'length' | 'malformed'>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  MALFORMED_FUNCTION_CALL: 'malformed',
};

/**
 * What a model would have said, had it sent these responses one after the other. `nextId` names calls that have no
 * name.
 */
export function toEvents(responses: readonly CannedResponse[], nextId: () => string): readonly ModelEvent[] {
  const events: ModelEvent[] = [];
  let end: ModelEvent | undefined;
  for (const {candidates = [], usageMetadata, modelVersion} of responses) {
    const [candidate] = candidates;
    events.push(...(candidate?.content?.parts ?? []).flatMap((part) => toEvent(part, nextId)));
    if (usageMetadata) events.push({kind: 'usage', usage: toUsage(usageMetadata)});
    end = (candidate && toEnd(candidate, modelVersion)) ?? end;
  }
  return [...events, end ?? {kind: 'failed', failure: {kind: 'network', message: 'The recorded answer has no end.'}}];
}

function toEnd(
  {finishReason: reason, finishMessage: detail}: Candidate,
  modelVersion: string | undefined,
): ModelEvent | undefined {
  if (!reason) return undefined;
  const known = STOPPED[reason];
  return {
    kind: 'end',
    reason: known ?? 'other',
    ...(known ? (detail ? {detail} : {}) : {detail: detail ?? reason}),
    ...(modelVersion ? {model: modelVersion} : {}),
  };
}

function toEvent(
  {text, thought, thoughtSignature, functionCall}: CannedPart,
  nextId: () => string,
): readonly ModelEvent[] {
  const mark = thoughtSignature === undefined ? {} : {signature: thoughtSignature};
  if (functionCall)
    return [
      {
        kind: 'call',
        id: functionCall.id ?? nextId(),
        name: functionCall.name ?? '',
        input: functionCall.args ?? {},
        ...mark,
      },
    ];
  return text === undefined ? [] : [{kind: thought ? 'thought' : 'text', text, ...mark}];
}

function toUsage(counts: Readonly<Record<string, number>>): TokenUsage {
  const count = (name: string): number => counts[name] ?? 0;
  return {
    input: count('promptTokenCount'),
    output: count('candidatesTokenCount'),
    cached: count('cachedContentTokenCount'),
    thoughts: count('thoughtsTokenCount'),
    tool: count('toolUsePromptTokenCount'),
    total: count('totalTokenCount'),
  };
}
