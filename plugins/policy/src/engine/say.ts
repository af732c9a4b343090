import type {Decision, Rule} from '../rule.js';
import type {Judgement} from './engine.js';
import type {JudgedPart} from './judge-part.js';
import {strictness} from './walk.js';

/** The part that decided: of the strictest the first that has a reason or a rule, else the first. */
export function decidingPart({parts}: Pick<Judgement, 'parts'>): JudgedPart | undefined {
  const strictest = Math.max(...parts.map(({finding}) => strictness[finding.decision]));
  const deciding = parts.filter(({finding}) => strictness[finding.decision] === strictest);
  return deciding.find(({finding, reason}) => reason !== undefined || finding.rule !== undefined) ?? deciding[0];
}

/** A rule as people can find it. */
export function nameRule({id, source}: Pick<Rule, 'id' | 'source'>): string {
  return id === source.label ? id : `${id}, ${source.label}`;
}

/**
 * Why a call was judged as it was, in a sentence or two that name the rule; every other part that needs an approval is
 * named too.
 */
export function sayWhy(judgement: Pick<Judgement, 'decision' | 'parts'>, interactive: boolean): string {
  const part = decidingPart(judgement);
  if (!part) return 'Nothing was judged.';
  const others =
    judgement.decision === 'ask'
      ? judgement.parts.filter(({what, finding}) => finding.decision === 'ask' && what !== part.what)
      : [];
  const more = [...new Set(others.map(({what}) => shorten(what)))];
  const about = judgement.parts.length > 1 && part.what !== 'call' ? `${shorten(part.what)}: ` : '';
  const too = more.length > 0 ? ` These need an approval too: ${more.join('; ')}.` : '';
  return `${about}${sayOf(part, interactive)}${too}`;
}

function sayOf({finding, reason}: JudgedPart, interactive: boolean): string {
  const {rule, decision} = finding;
  if (reason) return reason;
  if (!rule) return sayWithoutRule(decision, interactive);
  const said =
    rule.message ?? [words[decision], decision === 'allow' ? undefined : rule.description].filter(Boolean).join(' ');
  return (
    `${said}${finding.isDoubtful ? ' Only running it would show whether the rule applies.' : ''} (rule ` +
    `${nameRule(rule)})`
  );
}

function sayWithoutRule(decision: Decision, interactive: boolean): string {
  if (decision === 'allow') return 'The approval mode allows it.';
  return interactive ? 'No rule covers it.' : 'No rule allows it, and this run cannot ask you.';
}

const words = {deny: 'It is denied.', ask: 'Needs your approval.', allow: 'It is allowed.'} as const;
const SHOWN = 80;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}
