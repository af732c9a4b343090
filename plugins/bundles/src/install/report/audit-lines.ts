import {oneLine} from '../../one-line.js';
import {describeAge, describeCapability} from '../judge/describe-plugin.js';
import {describeProvenance} from '../judge/describe-provenance.js';
import {explainCapability} from '../judge/explain-capability.js';
import type {AuditedPlugin} from './audit-plugins.js';
import {useRows} from './use-lines.js';

/** The result of an audit, for people: a few lines per plugin, one per dependency. */
export function auditLines(plugins: readonly AuditedPlugin[], now: Date): readonly string[] {
  if (plugins.length === 0) return ['No plugins are installed.'];
  return plugins.flatMap((plugin) => [
    `${plugin.name} ${plugin.version} (${plugin.scope})`,
    ...rowsOf(plugin, now)
      .filter((row) => row[1] !== undefined)
      .map(([label, text]) => `  ${label.padEnd(11)} ${oneLine(text ?? '')}`),
    ...plugin.dependencies.map(
      ({name, version, from, license}) =>
        `  brings      ${name} ` +
        `${version}${license ? `, ${oneLine(license, 80)}` : ''}${from ? `, from ${hostOf(from)}` : ''}`,
    ),
  ]);
}

function rowsOf(plugin: AuditedPlugin, now: Date): readonly (readonly [string, string | undefined])[] {
  const {
    from,
    signer,
    provenance,
    approved,
    license,
    capabilities: {declared, optional = [], undeclared, isSameAsLocked},
    did,
    replaces,
    integrity,
    tree,
    fault,
  } = plugin;
  return [
    ['from', from],
    ['signed by', signer ?? 'no one'],
    ['built from', provenance && describeProvenance(provenance)],
    ['approved', approved && `by ${approved.by}, ${describeAge(new Date(approved.at), now)}`],
    ['may', declared.map(describeCapability).join('; ') || 'nothing, by its own account'],
    ...declared.map((one) => ['at worst', explainCapability(one).worst] as const),
    ['may ask to', optional.map(describeCapability).join('; ') || undefined],
    ...useRows(did, now),
    [
      'WARNING',
      undeclared.length > 0
        ? `its tools use more than it declares: ${undeclared.map(describeCapability).join('; ')}`
        : undefined,
    ],
    ['WARNING', isSameAsLocked ? undefined : 'its manifest declares other capabilities than you agreed to'],
    ['replaces', replaces.length > 0 ? replaces.join(', ') : undefined],
    ['licence', license],
    ['archive', integrity && `${integrity.slice(0, 30)}…`],
    ['files', tree && `${tree.slice(0, 30)}…`],
    ['WARNING', fault],
  ];
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
