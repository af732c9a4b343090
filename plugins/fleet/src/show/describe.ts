import type {Counts, Idle} from '../contract.js';

/** US dollars as people read them. */
export function money(cost: number): string {
  return `$${cost >= 100 ? cost.toFixed(0) : cost >= 1 ? cost.toFixed(2) : cost.toFixed(4)}`;
}

export function amount(tokens: number): string {
  if (tokens < 10_000) return String(tokens);
  return tokens < 1e7 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1e6).toFixed(1)}M`;
}

/** What was used, of what may be. */
export function used({spent, limits: {budget = {}}}: Pick<Counts, 'spent' | 'limits'>): string {
  const cost = `${money(spent.cost)}${budget.cost === undefined ? '' : ` of ${money(budget.cost)}`}`;
  const tokens = `${amount(spent.tokens)}${budget.tokens === undefined ? '' : ` of ${amount(budget.tokens)}`} tokens`;
  return spent.cost === 0 && budget.cost === undefined ? tokens : `${cost}, ${tokens}`;
}

/** The numbers of a fleet as a line. */
export function tally({waiting, running, done, failed, cancelled}: Counts): string {
  const all = waiting + running + done + failed + cancelled;
  const more = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return [`${done} of ${all} done`, ...more].join(', ');
}

/** What would finish a fleet that stopped. */
export function nextStep(
  idle: Idle | 'left',
  name: string,
  {waiting, failed, spent, done}: Counts,
): string | undefined {
  if (idle === 'budget') {
    const each = done === 0 ? undefined : spent.cost / done;
    const more = each === undefined || each === 0 ? '' : ` At ${money(each)} a task, ${money(each * waiting)} more.`;
    return `The budget is used up and ${waiting} tasks wait.${more} Continue with a higher --budget or --tokens.`;
  }
  if (idle === 'paused') return `It is paused. Continue with gemini fleet resume ${name}, then gemini fleet run.`;
  if (idle === 'left') return 'Run the same command again to continue.';
  if (failed > 0)
    return `gemini fleet results ${name} --failed shows why; gemini fleet retry ${name} tries them again.`;
  return undefined;
}
