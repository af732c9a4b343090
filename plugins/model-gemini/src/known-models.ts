import type {ModelAbilities} from '@gemini-kernel/plugin-agent/contract';

const PRO = 'gemini-3.1-pro-preview';
const FLASH = 'gemini-3.5-flash';
const FLASH_LITE = 'gemini-3.1-flash-lite';
const PRO_2 = 'gemini-2.5-pro';
const FLASH_2 = 'gemini-2.5-flash';

const ALIASES: Readonly<Record<string, string>> = {
  auto: PRO,
  pro: PRO,
  flash: FLASH,
  'flash-lite': FLASH_LITE,
  'auto-gemini-3': PRO,
  'auto-gemini-2.5': PRO_2,
  // Its successor answers since it was switched off.
  'gemini-3-pro-preview': PRO,
};

const FALLBACK: Readonly<Record<string, readonly string[]>> = {
  [PRO]: [FLASH],
  [PRO_2]: [FLASH_2],
  [FLASH_LITE]: [FLASH, PRO_2],
};

/** The name by which the API knows a model. */
export function resolveAlias(model: string): string {
  const name = model.replace(/^models\//, '');
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name;
}

/** What a model can do, as far as its name says. */
export function describeModel(given: string): ModelAbilities {
  const model = resolveAlias(given);
  const isGemma = model.startsWith('gemma-');
  return {
    model,
    inputLimit: isGemma ? 256_000 : model.startsWith('gemini-') ? 1_048_576 : 0,
    images: true,
    documents: !isGemma,
    thinking: canThink(model),
    ...levelsOf(model),
    calls: true,
    fallback: Object.hasOwn(FALLBACK, model) ? (FALLBACK[model] ?? []) : [],
  };
}

/** Those of the third generation have levels of their own. */
function levelsOf(model: string): Pick<ModelAbilities, 'thoughtLevels'> {
  if (model.startsWith('gemini-2.5')) return {thoughtLevels: Object.keys(budgetsOf(model))};
  if (!isThirdGeneration(model)) return {};
  return {thoughtLevels: [...(model.includes('flash') ? ['minimal'] : []), 'low', 'medium', 'high']};
}

/** What a level is in tokens, for models that take those. Pro cannot be kept from thinking. */
export function budgetsOf(model: string): Readonly<Record<string, number>> {
  const isPro = model.startsWith('gemini-2.5-pro');
  return {...(isPro ? {} : {off: 0}), low: 1024, medium: 8192, high: isPro ? 32_768 : 24_576};
}

/** Whether a model thinks before it answers; those before 2.5 refuse to be asked for it. */
export function canThink(model: string): boolean {
  return /^gemini-(2\.5|[3-9])/.test(model) || model.startsWith('gemma-4');
}

/**
 * Whether a model is of the third generation or later: it takes media in the results of tools, answers in a form beside
 * tools, and wants its signatures back.
 */
export function isThirdGeneration(model: string): boolean {
  return /^gemini-[3-9]/.test(model);
}
