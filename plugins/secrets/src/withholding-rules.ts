import type {Explanation, Settings} from '@gemini-kernel/plugin-settings/contract';

/** What the settings say about variables; names in upper case. */
export interface WithholdingRules {
  readonly isOn: boolean;
  readonly allowed: ReadonlySet<string>;
  readonly blocked: ReadonlySet<string>;
}

const KEY = 'security.environmentVariableRedaction';

/**
 * Reads the rules. A project's own settings can enable withholding and block more, never the reverse. The published
 * default is off; here it is on by default, because a command that the model wrote does not need the person's tokens.
 */
export async function readWithholdingRules(settings: Settings): Promise<WithholdingRules> {
  const [enabled, allowed, blocked] = await Promise.all(
    ['enabled', 'allowed', 'blocked'].map((key) => settings.explain(`${KEY}.${key}`)),
  );
  const said = trusted(enabled)
    .filter(({layer}) => layer !== 'default')
    .at(-1)?.value;
  // What an administrator blocks, a person does not let through again.
  const closed = namesIn((blocked?.layers ?? []).filter(({managed}) => managed));
  const isForced = (enabled?.layers ?? []).some(({layer, value}) => layer === 'workspace' && value === true);
  return {
    isOn: isForced || said !== false,
    allowed: new Set([...namesIn(trusted(allowed))].filter((name) => !closed.has(name))),
    blocked: namesIn(blocked?.layers ?? []),
  };
}

function trusted(explanation: Explanation | undefined): Explanation['layers'] {
  return (explanation?.layers ?? []).filter(({layer}) => layer !== 'workspace');
}

function namesIn(layers: Explanation['layers']): ReadonlySet<string> {
  const names = layers.flatMap(({value}): readonly unknown[] => (Array.isArray(value) ? value : []));
  return new Set(names.filter((name) => typeof name === 'string').map((name) => name.toUpperCase()));
}
