import type {Style} from '@gemini-kernel/command';
import type {BundleState, BundleStatus} from './bundle-status.js';
import {oneLine} from '../one-line.js';

type Paint = (style: Style, text: string) => string;

/** What is in force, as a person reads it. */
export function statusReport(
  {administrator, bundles, remembered, faults}: BundleStatus,
  now: Date,
  paint: Paint,
): readonly string[] {
  return [
    ...administratorLines(administrator, paint),
    ...(bundles.length === 0
      ? ['No bundle is applied.']
      : bundles.flatMap((one) => ['', ...bundleLines(one, now, paint)])),
    ...(remembered.length === 0
      ? []
      : [
          '',
          ...remembered.map(({name, scope, serial}) =>
            paint('dim', `${name} was applied ${whom(scope)} before; no serial below ${serial} may come back.`),
          ),
        ]),
    ...faults.map((fault) => `${paint('bad', '✗')} ${fault}`),
  ];
}

function administratorLines(
  {kind, files, reason, bundleSigners, frozen}: BundleStatus['administrator'],
  paint: Paint,
): readonly string[] {
  if (kind === 'none') return ['No administrator has rules here.'];
  if (kind === 'unreadable')
    return [
      `${paint('bad', '✗')} The administrator's rules cannot be relied on, so only what came with the product may ` +
        `load: ${reason ?? ''}`,
    ];
  return [
    'Rules of the administrator:',
    ...files.map((file) => `  ${file}`),
    ...(bundleSigners ? [`  bundles count when signed by ${bundleSigners.join(' or ') || 'nobody'}`] : []),
    ...(frozen ? ['  only what a lock pins by its content may load'] : []),
  ];
}

function bundleLines(state: BundleState, now: Date, paint: Paint): readonly string[] {
  const {name, scope, serial, description, signers, applied, plugins, policies, enforced, differences} = state;
  const rows: readonly (readonly [string, string])[] = [
    ['signed by', signers.join(' and ') || 'nobody that is known'],
    ['applied', `${applied ?? 'nobody knows when'} ${whom(scope)}`],
    ['expires', expiryOf(state, now, paint)],
    ['plugins', plugins.join(', ')],
    ['policies', policies.join(', ')],
    ['enforces', enforced.join(', ')],
  ];
  return [
    `${paint('strong', `${name}, serial ${serial ?? '?'}`)}${description ? `: ${oneLine(description)}` : ''}`,
    ...rows.filter(([, text]) => text !== '').map(([label, text]) => `  ${label.padEnd(9)} ${oneLine(text)}`),
    ...differences.map((one) => `  ${paint('bad', '✗')} ${one}`),
  ];
}

function expiryOf({expires, expiry}: BundleState, now: Date, paint: Paint): string {
  if (expires === undefined) return 'never';
  if (expiry === 'expired') return paint('bad', `${expires}: it is over, and its plugins no longer load`);
  const days = Math.floor((Date.parse(expires) - now.getTime()) / 86_400_000);
  return expiry === 'soon'
    ? paint('warn', `${expires}, in ${days} ${days === 1 ? 'day' : 'days'}: have a newer one ready`)
    : `${expires}`;
}

function whom(scope: BundleState['scope']): string {
  return scope === 'system' ? 'for everybody' : 'for you';
}
