import type {Style} from '@gemini-kernel/command';
import type {BundleState, BundleStatus} from './bundle-status.js';
import {oneLine} from '../one-line.js';

type Paint = (style: Style, text: string) => string;

/** A report of what is in force, for a person. */
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
            paint('dim', `${name} was applied ${whom(scope)} before. Its serial cannot go below ${serial}.`),
          ),
        ]),
    ...faults.map((fault) => `${paint('bad', '✗')} ${fault}`),
  ];
}

function administratorLines(
  {kind, files, reason, bundleSigners, frozen}: BundleStatus['administrator'],
  paint: Paint,
): readonly string[] {
  if (kind === 'none') return ["There are no administrator's rules."];
  if (kind === 'unreadable')
    return [
      `${paint('bad', '✗')} The administrator's rules cannot be used, so only plugins of the product may ` +
        `load: ${reason ?? ''}`,
    ];
  return [
    "Administrator's rules:",
    ...files.map((file) => `  ${file}`),
    ...(bundleSigners ? [`  bundles must be signed by ${bundleSigners.join(' or ') || 'no one'}`] : []),
    ...(frozen ? ['  only plugins that a lock pins by content may load'] : []),
  ];
}

function bundleLines(state: BundleState, now: Date, paint: Paint): readonly string[] {
  const {name, scope, serial, description, signers, applied, plugins, policies, brings, enforced, differences} = state;
  const rows: readonly (readonly [string, string])[] = [
    ['signed by', signers.join(' and ') || 'no known signer'],
    ['applied', `${applied ?? 'at an unknown time'} ${whom(scope)}`],
    ['expires', expiryOf(state, now, paint)],
    ['plugins', plugins.join(', ')],
    ['policies', policies.join(', ')],
    ['brings', brings.join(', ')],
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
  if (expiry === 'expired') return paint('bad', `${expires}: expired, its plugins no longer load`);
  const days = Math.floor((Date.parse(expires) - now.getTime()) / 86_400_000);
  return expiry === 'soon'
    ? paint('warn', `${expires}, in ${days} ${days === 1 ? 'day' : 'days'}: prepare a newer one`)
    : `${expires}`;
}

function whom(scope: BundleState['scope']): string {
  return scope === 'system' ? 'for all users' : 'for you';
}
