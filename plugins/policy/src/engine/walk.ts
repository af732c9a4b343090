import type {Decision, Rule} from '../rule.js';
import {matchRule, type CompiledRule, type Subject} from './compile-rule.js';
import type {Match} from './command-match.js';
import type {RuleIndex} from './rule-index.js';

/** What came of judging one subject. */
export interface Finding {
  readonly decision: Decision;
  /** The rule that decided; undefined = none spoke. */
  readonly rule: Rule | undefined;
  /** The rule did not surely match; whether it does, only running could tell. */
  readonly isDoubtful: boolean;
  /** The rule that would have let it pass, whatever stricter ones said. */
  readonly base: Rule | undefined;
}

export const strictness: Readonly<Record<Decision, number>> = {allow: 0, ask: 1, deny: 2};

/** The stricter of two findings; of equals the first. */
export function stricter(a: Finding, b: Finding): Finding {
  return strictness[b.decision] > strictness[a.decision] ? b : a;
}

/** Hears of every rule that was looked at. */
export type Witness = (rule: CompiledRule, match: Match) => void;

/**
 * The first rule that surely matches decides, in the order of strength. Rules that only tighten and those that perhaps
 * match can make it stricter when they stand above it, never milder: so a rule more from a repository or an extension
 * never permits more.
 */
export function walkRules(index: RuleIndex, subject: Subject, fallback: Decision, witness?: Witness): Finding {
  let strictest: Finding = {decision: 'allow', rule: undefined, isDoubtful: false, base: undefined};
  for (const compiled of index.find(subject)) {
    const match = matchRule(compiled, subject);
    witness?.(compiled, match);
    if (match === 'no') continue;
    const {rule, tightens} = compiled;
    const isDoubtful = match === 'maybe';
    const finding: Finding = {
      decision: isDoubtful && rule.decision === 'deny' ? 'ask' : rule.decision,
      rule,
      isDoubtful,
      base: undefined,
    };
    if (!tightens && !isDoubtful) return {...stricter(finding, strictest), base: rule};
    strictest = stricter(strictest, finding);
  }
  return stricter({decision: fallback, rule: undefined, isDoubtful: false, base: undefined}, strictest);
}

/** The strictest of the sensitive rules, but for those that a stronger rule which names a path has lifted. */
export function walkSensitive(
  index: RuleIndex,
  subject: Subject,
  base: {readonly rule: Rule; readonly strength: number} | undefined,
  witness?: Witness,
): Finding {
  let strictest: Finding = {decision: 'allow', rule: undefined, isDoubtful: false, base: undefined};
  for (const compiled of index.find(subject)) {
    const match = matchRule(compiled, subject);
    witness?.(compiled, match);
    const isLifted = base?.rule.path !== undefined && base.strength > compiled.strength;
    if (match === 'no' || isLifted) continue;
    const isDoubtful = match === 'maybe';
    const {rule} = compiled;
    strictest = stricter(strictest, {
      decision: isDoubtful && rule.decision === 'deny' ? 'ask' : rule.decision,
      rule,
      isDoubtful,
      base: undefined,
    });
  }
  return strictest;
}
