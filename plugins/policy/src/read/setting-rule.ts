import type {LayerValue} from '@gemini-kernel/plugin-settings/contract';
import type {Decision, Problem, Rule, Tier} from '../rule.js';

/**
 * Priorities as in the product whose settings we read; there a server that `mcp.allowed` leaves out is not even
 * started.
 */
export const PRIORITIES = {
  servers: 900,
  exclude: 400,
  confirm: 350,
  allow: 300,
  core: 240,
  trust: 200,
  headless: 100,
} as const;

/** What one layer, or several that merge, say under a key. */
export interface Saying {
  readonly key: string;
  readonly tier: Extract<Tier, 'user' | 'workspace' | 'admin'>;
  readonly file: string;
  readonly values: readonly string[];
}

/** What a rule of a setting decides. */
export interface Outcome {
  readonly decision: Decision;
  readonly priority: number;
}

/** The tier of what a layer of settings says. */
export function tierOf({layer, managed}: LayerValue): Saying['tier'] {
  if (layer === 'workspace') return 'workspace';
  return managed ? 'admin' : 'user';
}

/** The rule that a setting stands for. */
export function ruleOf(
  {key, tier, file}: Saying,
  conditions: Pick<Rule, 'tools'> & Partial<Rule>,
  {decision, priority}: Outcome,
): Rule {
  const label = `Setting: ${key}`;
  // What an administrator allows, a person may still close.
  const source = {tier: tier === 'admin' && decision === 'allow' ? ('user' as const) : tier, label, file};
  return {id: label, source, decision, priority, allowRedirection: false, sensitive: false, ...conditions};
}

/** Says that a project allows nothing by its settings. Returns no rules. */
export function tellInVain({key, tier, file, values}: Saying, problems: Problem[]): readonly Rule[] {
  if (values.length > 0)
    problems.push({
      severity: 'warning',
      tier,
      file,
      message: `${key} in the settings of a project allows nothing: a project can only make rules stricter.`,
      hint: 'Put it into your own settings if you want it.',
    });
  return [];
}
