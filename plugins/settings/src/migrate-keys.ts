import {isObject, nest, valueAt, without, type JSONObject} from './key-path.js';
import {mergeValues} from './merge-values.js';

interface Migration {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The value under the new key, or undefined when the old value says nothing there. */
  convert(old: unknown): unknown;
  /** The old key still has a meaning of its own. */
  readonly keeps?: true;
}

const THEMES: Readonly<Record<string, string>> = {VS: 'Default Light', VS2015: 'Default'};

const MIGRATIONS: readonly Migration[] = [
  {from: ['general', 'disableAutoUpdate'], to: ['general', 'enableAutoUpdate'], convert: invert},
  {from: ['general', 'disableUpdateNag'], to: ['general', 'enableAutoUpdateNotification'], convert: invert},
  {
    from: ['ui', 'accessibility', 'disableLoadingPhrases'],
    to: ['ui', 'accessibility', 'enableLoadingPhrases'],
    convert: invert,
  },
  {
    from: ['ui', 'accessibility', 'enableLoadingPhrases'],
    to: ['ui', 'loadingPhrases'],
    convert: (old) => (old === false ? 'off' : undefined),
    keeps: true,
  },
  {
    from: ['context', 'fileFiltering', 'disableFuzzySearch'],
    to: ['context', 'fileFiltering', 'enableFuzzySearch'],
    convert: invert,
  },
  {from: ['tools', 'approvalMode'], to: ['general', 'defaultApprovalMode'], convert: (old) => old},
  {
    from: ['experimental', 'codebaseInvestigatorSettings'],
    to: ['agents', 'overrides', 'codebase_investigator'],
    convert: agentOverride,
  },
  {from: ['experimental', 'cliHelpAgentSettings'], to: ['agents', 'overrides', 'cli_help'], convert: agentOverride},
  {
    from: ['experimental', 'plan'],
    to: ['general', 'plan', 'enabled'],
    convert: (old) => (typeof old === 'boolean' ? old : undefined),
  },
];

/**
 * The settings of one file with keys of older versions under their present names. A present name that is there already
 * wins.
 */
export function migrateKeys(values: JSONObject): JSONObject {
  const migrated = MIGRATIONS.reduce(migrateKey, values);
  const theme = valueAt(migrated, ['ui', 'theme']);
  const renamed = typeof theme === 'string' && Object.hasOwn(THEMES, theme) ? THEMES[theme] : undefined;
  return renamed === undefined ? migrated : combine(migrated, nest(['ui', 'theme'], renamed));
}

function migrateKey(values: JSONObject, {from, to, convert, keeps}: Migration): JSONObject {
  const old = valueAt(values, from);
  const converted = old === undefined ? undefined : convert(old);
  if (converted === undefined) return values;
  const rest = keeps ? values : without(values, from);
  return combine(nest(to, converted), rest);
}

// Both are objects, so what they combine to is one.
function combine(weaker: unknown, stronger: unknown): JSONObject {
  return mergeValues(weaker, stronger, undefined) as JSONObject;
}

function invert(old: unknown): unknown {
  return typeof old === 'boolean' ? !old : undefined;
}

function agentOverride(old: unknown): unknown {
  if (!isObject(old)) return undefined;
  const {enabled, maxNumTurns, maxTimeMinutes, model, thinkingBudget} = old;
  const generateContentConfig = defined({thinkingConfig: defined({thinkingBudget})});
  return defined({
    enabled,
    runConfig: defined({maxTurns: maxNumTurns, maxTimeMinutes}),
    modelConfig: defined({model, generateContentConfig}),
  });
}

function defined(values: JSONObject): JSONObject | undefined {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
