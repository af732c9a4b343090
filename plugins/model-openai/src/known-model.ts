import type {ModelAbilities} from '@gemini-kernel/plugin-agent/contract';

/** The properties of a model from the setting `openai.models`, the only source for them. */
export function describeModel(model: string, settings: unknown): ModelAbilities {
  const said = entryOf(settings, model);
  const {inputLimit, images = true, thinking = true, calls = true, fallback, thoughtLevels} = said;
  return {
    model,
    inputLimit: typeof inputLimit === 'number' && inputLimit > 0 ? inputLimit : 0,
    images: images !== false,
    documents: false,
    thinking: thinking !== false,
    calls: calls !== false,
    fallback: textsOf(fallback),
    ...(Array.isArray(thoughtLevels) ? {thoughtLevels: textsOf(thoughtLevels)} : {}),
  };
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function entryOf(settings: unknown, model: string): Readonly<Record<string, unknown>> {
  const entry: unknown =
    typeof settings === 'object' && settings !== null && Object.hasOwn(settings, model)
      ? (settings as Record<string, unknown>)[model]
      : undefined;
  return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {};
}
