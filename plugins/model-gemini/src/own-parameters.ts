import type {GenerateContentConfig} from '@google/genai';

/**
 * What of `generateContentConfig` the settings may say. A project writes settings too: where a request goes, what goes
 * along and what the conversation is are none of their business, so that what is not named here is left out.
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
