import {oneLine} from '../../one-line.js';
import {describeAge, describeCapability, describeSize} from '../judge/describe-plugin.js';
import {describeTier} from '../judge/explain-capability.js';
import type {AuditedUse, AuditedUses} from './audit-uses.js';

type Row = readonly [label: string, text: string | undefined];

/** How much of what is known of one outcome is shown; the rest is in the JSON. */
const MOST_SHOWN = 12;
const LONGEST = 80;

/** What a plugin did, for people: what it used, what it was refused, and what it never needed. */
export function useRows({tier, uses, unused, processes}: AuditedUses, now: Date): readonly Row[] {
  const isSeen = processes !== undefined || uses.length > 0;
  return [
    ['held by', describeTier(tier)],
    ...rowsOf(uses, 'used', now),
    ...rowsOf(uses, 'refused', now),
    ['never used', isSeen && unused.length > 0 ? unused.map(describeCapability).join('; ') : undefined],
    ['processes', processes && describeProcesses(processes, now)],
    ['WARNING', processes?.lastDeath && `a process ended on its own: ${oneLine(processes.lastDeath, 200)}`],
    ['seen', isSeen ? undefined : 'nothing yet'],
  ];
}

function rowsOf(uses: readonly AuditedUse[], outcome: AuditedUse['outcome'], now: Date): readonly Row[] {
  const all = uses.filter((one) => one.outcome === outcome).sort((a, b) => b.last - a.last);
  const rows = all.slice(0, MOST_SHOWN).map((one): Row => [outcome, sayUse(one, now)]);
  const more = all.length - rows.length;
  return more > 0 ? [...rows, [outcome, `and ${more} more, which --json shows`]] : rows;
}

function sayUse({what, count, last, seenBy}: AuditedUse, now: Date): string {
  const times = count === 1 ? 'once' : `${count} times`;
  const by = {gemini: '', process: ', as its process says', calls: ', as its tools say'}[seenBy];
  return `${sayWhat(what)}: ${times}, ${describeAge(new Date(last), now)}${by}`;
}

function sayWhat(what: string): string {
  const thing = oneLine(what.slice(what.indexOf(':') + 1), LONGEST);
  if (what.startsWith('service:')) return `the service ${thing}`;
  if (what.startsWith('tool:')) return `the tool ${thing}`;
  return what.startsWith('process:') ? `run ${thing}` : describeCapability(what);
}

function describeProcesses(
  {starts, deaths, calls, busyMs, peakBytes, since, dropped}: NonNullable<AuditedUses['processes']>,
  now: Date,
): string {
  return [
    `${starts} started since ${describeAge(new Date(since), now)}`,
    ...(deaths > 0 ? [`${deaths} ended on their own`] : []),
    `${calls} requests in ${(busyMs / 1000).toFixed(1)} s`,
    ...(peakBytes === undefined ? [] : [`at most ${describeSize(peakBytes)} of memory`]),
    ...(dropped > 0 ? [`${dropped} more uses are not kept`] : []),
  ].join(', ');
}
