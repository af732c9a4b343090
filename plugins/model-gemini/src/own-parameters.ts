import type {GenerateContentConfig} from '@google/genai';

/**
 * The parts of `generateContentConfig` that settings may set. A project writes settings too, and must not decide where
 * a request goes, its headers or the conversation, so everything not listed here is dropped.
 */
const PARAMETERS = [
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'thinkingConfig',
  'safetySettings',
  'mediaResolution',
  'responseModalities',
  'serviceTier',
  'labels',
] as const satisfies readonly (keyof GenerateContentConfig)[];

/** The parameters of a model among what the settings say for it. */
export function keepParameters(
  own: Readonly<Record<string, unknown>>,
): Pick<GenerateContentConfig, (typeof PARAMETERS)[number]> {
  return Object.fromEntries(PARAMETERS.flatMap((name) => (Object.hasOwn(own, name) ? [[name, own[name]]] : [])));
}
