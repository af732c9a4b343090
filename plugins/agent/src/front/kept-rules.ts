import type {ApprovalChoice} from '@gemini-kernel/kernel';
import {revealedLine} from '@gemini-kernel/terminal';

/** How many rules fit on the line under a question. */
const MOST = 3;

interface Kept {
  readonly rules: string;
  readonly choices: readonly ApprovalChoice[];
}

/** What the answers would save, one line per set of rules: the conditions as in a policy file. */
export function briefKept(choices: readonly ApprovalChoice[]): readonly string[] {
  return groupByRules(choices).map(({rules, choices: alike}) => {
    const conditions = rules.trim().split('\n\n').map(conditionsOf);
    const more = conditions.length > MOST ? ` + ${conditions.length - MOST} more` : '';
    const files = alike.flatMap(({label, keeps}) => (keeps?.file === undefined ? [] : [`; ${label} in ${keeps.file}`]));
    const labels = alike.map(({label}) => label).join(' or ');
    return revealedLine(`${labels} saves: ${conditions.slice(0, MOST).join(' + ')}${more}${files.join('')}`);
  });
}

/** The full text of what the answers would save, and why others are not available. */
export function wholeKept(choices: readonly ApprovalChoice[]): readonly string[] {
  const kept = groupByRules(choices).flatMap(({rules, choices: alike}) => [
    ...alike.map(({label, description = ''}) => revealedLine(`${label} saves, ${description}:`)),
    ...rules.trim().split('\n').map(revealedLine),
  ]);
  return [...kept, ...choices.flatMap((choice) => refusalOf(choice) ?? [])];
}

/** Why an answer is not available. */
export function refusalOf({label, unavailable}: ApprovalChoice): string | undefined {
  return unavailable === undefined ? undefined : revealedLine(`${label} is not available: ${unavailable}`);
}

function groupByRules(choices: readonly ApprovalChoice[]): readonly Kept[] {
  const groups = new Map<string, ApprovalChoice[]>();
  for (const choice of choices)
    if (choice.keeps) groups.set(choice.keeps.rules, [...(groups.get(choice.keeps.rules) ?? []), choice]);
  return [...groups].map(([rules, alike]) => ({rules, choices: alike}));
}

/** A rule on one line, without the part that all approvals share. */
function conditionsOf(rule: string): string {
  return rule
    .split('\n')
    .filter((line) => !/^(?:\[\[rule\]\]|decision = .*|priority = .*)$/.test(line))
    .join(', ');
}
