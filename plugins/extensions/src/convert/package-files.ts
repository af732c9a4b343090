import {KERNEL_VERSION} from '@gemini-kernel/kernel/host';
import type {ConvertedParts} from './read-parts.js';
import {servicesOf} from './service-files.js';

/** What the plugin does for which it needs to be allowed. */
function capabilitiesOf({contextFiles, servers, hooks, variables}: ConvertedParts): readonly string[] {
  const all = Object.values(servers);
  const hosts = all.flatMap(({url, httpUrl}) => hostOf(httpUrl ?? url));
  return [
    ...(contextFiles.length > 0 ? ['fs:read'] : []),
    ...(hooks !== undefined || all.some(({command}) => command !== undefined) ? ['process'] : []),
    ...new Set(hosts.map((host) => `net:${host}`)),
    ...variables.map((name) => `env:${name}`),
  ];
}

/** Any host, where a variable names it. */
function hostOf(address: unknown): readonly string[] {
  if (typeof address !== 'string') return [];
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return [/^[a-z0-9.-]+$/i.test(host) ? host : '*'];
}

/** The package.json of the plugin. */
export function packageText(parts: ConvertedParts): string {
  const {name, plugin, version, description, settings} = parts;
  const value = {
    name: plugin,
    version,
    description,
    // `gemini plugins search` finds packages by it.
    keywords: ['gemini-plugin'],
    convertedFrom: name,
    type: 'module',
    engines: {node: '>=20.0.0'},
    exports: {'./package.json': './package.json'},
    files: ['dist', 'extension', 'gemini.plugin.json', 'oclif.manifest.json', 'gemini.signature.json'],
    oclif: {commands: './dist/commands', topicSeparator: ' '},
    gemini: {
      manifest: './gemini.plugin.json',
      kernel: `^${KERNEL_VERSION}`,
      requires: {services: settings.length > 0 ? {settings: '^1'} : {}},
      capabilities: capabilitiesOf(parts),
    },
    peerDependencies: {'@gemini-kernel/kernel': `^${KERNEL_VERSION}`},
    peerDependenciesMeta: {'@gemini-kernel/kernel': {optional: true}},
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The README.md of the plugin. */
export function readmeText(parts: ConvertedParts): string {
  const {name, plugin, description, settings, section} = parts;
  const capabilities = capabilitiesOf(parts);
  const lines = [
    `# ${plugin}`,
    '',
    description,
    '',
    `Made of the extension ${name} by \`gemini extensions convert\`. The files of the extension are in \`extension/\`.`,
    '',
    '## Adds',
    '',
    ...servicesOf(parts).map(({family, does}) => `- Service \`${family}:${parts.owner}\`: ${does}.`),
    '',
    ...(settings.length === 0
      ? []
      : [
          '## Configure',
          '',
          ...settings.map(({envVar, name: label, description: about}) =>
            [`- \`${section}.${envVar}\`: ${label}.`, about].join(' ').trimEnd(),
          ),
          '',
        ]),
    '## Capabilities',
    '',
    ...(capabilities.length === 0 ? ['None.'] : capabilities.map((one) => `- \`${one}\``)),
    '',
    '## Build',
    '',
    'Its code is plain JavaScript in `dist/`. `gemini plugins build` writes its manifests, `gemini plugins check`',
    'checks it, and `gemini plugins link` uses it from its folder.',
  ];
  return `${lines.join('\n')}\n`;
}
