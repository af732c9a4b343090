import type {Message, ModelRequest, Piece} from '@gemini-kernel/plugin-agent/contract';
import type {
  Content,
  FunctionCallingConfigMode,
  GenerateContentConfig,
  Part,
  ThinkingConfig,
  ThinkingLevel,
} from '@google/genai';
import {budgetsOf, canThink, isThirdGeneration} from './known-models.js';
import {keepParameters} from './own-parameters.js';

/** Marks an id that the API did not give: it is not sent back. */
const MADE = 'made-';

// The marker that the API requires instead of a missing signature of another model.
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A thinking limit for models that would otherwise think for minutes. */
const THINKING_BUDGET = 8192;

/** An id for a call that came without one. */
export function makeCallId(unique: string): string {
  return MADE + unique;
}

/** The conversation in the API's format: adjacent messages of one role are joined, and nothing is empty. */
export function toContents(messages: readonly Message[], model: string): Content[] {
  const contents: {readonly role: string; readonly parts: Part[]}[] = [];
  for (const message of messages) {
    const parts = toParts(message, model);
    const last = contents.at(-1);
    if (last?.role === message.role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({role: message.role, parts});
  }
  return contents;
}

function toParts({role, pieces}: Message, model: string): Part[] {
  const parts = pieces.flatMap((piece) => toPart(piece, model));
  const call = parts.find(({functionCall}) => functionCall);
  if (role === 'model' && call && isThirdGeneration(model)) call.thoughtSignature ??= NO_SIGNATURE;
  // The API requires results together, before other user content.
  return [
    ...parts.filter(({functionResponse}) => functionResponse),
    ...parts.filter(({functionResponse}) => !functionResponse),
  ];
}

function toPart(piece: Piece, model: string): Part[] {
  if (piece.kind === 'data') return [{inlineData: {mimeType: piece.mimeType, data: piece.data}}];
  if (piece.kind === 'result') return resultParts(piece, model);
  const mark = piece.signature === undefined ? {} : {thoughtSignature: piece.signature};
  if (piece.kind === 'call')
    return [{functionCall: {...idOf(piece.id), name: piece.name, args: asRecord(piece.input)}, ...mark}];
  // A thought is of use to the API only by its signature.
  if (piece.signature === undefined && (piece.kind === 'thought' || piece.text === '')) return [];
  return [{text: piece.text, ...(piece.kind === 'thought' ? {thought: true} : {}), ...mark}];
}

function resultParts({id, name, output, failed}: Extract<Piece, {kind: 'result'}>, model: string): Part[] {
  const text = output.flatMap((part) => ('text' in part ? part.text : [])).join('\n');
  const media = output.flatMap((part) => ('inlineData' in part ? [{inlineData: {...part.inlineData}}] : []));
  const isInside = media.length > 0 && isThirdGeneration(model);
  const response = {
    functionResponse: {
      ...idOf(id),
      name,
      response: {[failed ? 'error' : 'output']: text},
      ...(isInside ? {parts: media} : {}),
    },
  };
  return isInside ? [response] : [response, ...media];
}

function idOf(id: string): {readonly id?: string} {
  return id.startsWith(MADE) ? {} : {id};
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The value of the library's enum; the library is loaded with the first request. */
const ANY = 'ANY' as FunctionCallingConfigMode;

/** The request configuration besides the conversation. */
export function toConfig({model, system, tools, config}: ModelRequest): GenerateContentConfig {
  const {temperature, topP, maxOutputTokens, answer, mustCall, own = {}} = config;
  const {thinkingConfig, ...others} = keepParameters(own);
  const thinking = canThink(model)
    ? {thinkingConfig: {includeThoughts: true, ...thinkingOf(model, config), ...ownThinking(config, thinkingConfig)}}
    : {};
  // Models before the third generation refuse a schema together with tools.
  const form =
    answer && (tools.length === 0 || isThirdGeneration(model))
      ? {responseMimeType: 'application/json', responseJsonSchema: answer}
      : {};
  return {
    ...others,
    ...(temperature === undefined ? {} : {temperature}),
    ...(topP === undefined ? {} : {topP}),
    ...(maxOutputTokens === undefined ? {} : {maxOutputTokens}),
    ...thinking,
    ...form,
    ...(system === '' ? {} : {systemInstruction: {parts: [{text: system}]}}),
    ...(tools.length === 0
      ? {}
      : {
          tools: [
            {
              functionDeclarations: tools.map(({name, description, input}) => ({
                name,
                description,
                parametersJsonSchema: input,
              })),
            },
          ],
          ...(mustCall ? {toolConfig: {functionCallingConfig: {mode: ANY}}} : {}),
        }),
    automaticFunctionCalling: {disable: true},
    automaticContinuation: false,
  };
}

function thinkingOf(
  model: string,
  {thoughtLevel, thinkingBudget: budget}: ModelRequest['config'],
): Pick<ThinkingConfig, 'thinkingBudget' | 'thinkingLevel'> {
  if (model.startsWith('gemini-2.5'))
    return {thinkingBudget: budgetsOf(model)[thoughtLevel ?? ''] ?? budget ?? THINKING_BUDGET};
  if (thoughtLevel !== undefined) return {thinkingLevel: thoughtLevel.toUpperCase() as ThinkingLevel};
  // Other models decide themselves, and thinking cannot be disabled.
  return budget === undefined || budget <= 0 ? {} : {thinkingBudget: budget};
}

/** What settings say about thinking; a level that was chosen in the conversation counts before it. */
function ownThinking({thoughtLevel}: ModelRequest['config'], own: ThinkingConfig | undefined): ThinkingConfig {
  if (thoughtLevel === undefined || own === undefined) return own ?? {};
  const {includeThoughts} = own;
  return includeThoughts === undefined ? {} : {includeThoughts};
}
