import type {Style} from '@gemini-kernel/command';
import {describeAdditions, describeCapability} from '../install/judge/describe-plugin.js';
import type {BundleProposal} from './apply-bundle.js';
import {oneLine} from '../one-line.js';
import {fingerprint} from './signing-key.js';

/** What a person sees before a bundle is applied: first the capabilities of its plugins, then everything it brings. */
export function proposalReport(
  {bundle: {lock}, scope, findings, manifests, before, displaced, leftOut, fresh}: BundleProposal,
  paint: (style: Style, text: string) => string,
): readonly string[] {
  const {installed, product} = lock.plugins;
  const plugins = Object.entries(installed).flatMap(([name, {version, capabilities}]) => {
    const manifest = manifests.get(name);
    const wishes = capabilities.map(describeCapability).join('; ') || 'nothing, by its own account';
    return [
      `  ${paint('strong', `${name} ${version}`)}`,
      `    wants to    ${paint(capabilities.length > 0 ? 'warn' : 'dim', wishes)}`,
      ...(manifest ? [`    adds        ${describeAdditions(manifest).join('; ') || 'nothing'}`] : []),
    ];
  });
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['replaces', displaced],
    ['product', product.length > 0 ? [`keeps only ${product.length} of its plugins`] : []],
    ['leaves out', leftOut],
    ['policies', lock.policies.map(({path}) => path)],
    ['extensions', Object.keys(lock.extensions ?? {})],
    ['skills', Object.keys(lock.skills ?? {})],
    ['enforces', keysOf(lock.settings?.enforced)],
    ['presets', keysOf(lock.settings?.defaults)],
    ['servers', Object.keys(lock.mcpServers ?? {})],
    [
      'rules',
      scope === 'system'
        ? [
            ...Object.keys(lock.rules ?? {}),
            ...(lock.blockedCapabilities ?? []).map((one) => `no ${one}`),
            ...(lock.sources ? ['sources'] : []),
          ]
        : [],
    ],
    ['keys', Object.entries(fresh).map(([name, key]) => `${name} ${fingerprint(key)}`)],
  ];
  const title = paint('strong', `${lock.name}, serial ${lock.serial}`);
  return [
    `${title}${before ? ` (in force before: ${before.serial})` : ''}: ${oneLine(lock.description)}`,
    ...plugins,
    ...rows
      .filter(([, list]) => list.length > 0)
      .map(([label, list]) => `  ${label.padEnd(11)} ${oneLine(list.join(', '))}`),
    ...findings.map(({subject, text}) => `  ${paint('good', '✓')} ${subject.padEnd(9)} ${oneLine(text)}`),
  ];
}

/** The dotted names of all values that settings set. */
export function keysOf(settings: Readonly<Record<string, unknown>> | undefined, prefix = ''): readonly string[] {
  return Object.entries(settings ?? {}).flatMap(([key, value]) => {
    const isGroup =
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
    return isGroup ? keysOf(value as Record<string, unknown>, `${prefix}${key}.`) : [`${prefix}${key}`];
  });
}
