import type {NewPlugin} from '../new-plugin.js';

/** The package.json of a new plugin, for this version of the kernel. */
export function packageJson({name, noun, kinds}: NewPlugin, kernel: string): string {
  const counts = kinds.has('tool') || kinds.has('command') || kinds.has('service');
  const peers = {
    '@gemini-kernel/kernel': `^${kernel}`,
    ...(kinds.has('command') ? {'@gemini-kernel/command': `^${kernel}`} : {}),
    ...(kinds.has('setting') ? {'@gemini-kernel/plugin-settings': `^${kernel}`} : {}),
    ...(counts ? {'@gemini-kernel/plugin-workspace': `^${kernel}`} : {}),
    ...(kinds.has('command') ? {'@oclif/core': '^4.13.0'} : {}),
  };
  const value = {
    name,
    version: '0.1.0',
    description: counts
      ? `Counts words: a starting point for ${noun}.`
      : `Protects generated files from changes: a starting point for ${noun}.`,
    // `gemini plugins search` finds packages by it.
    keywords: ['gemini-plugin'],
    type: 'module',
    engines: {node: '>=20.0.0'},
    exports: {
      ...(kinds.has('service') ? {'./contract': {types: './dist/contract.d.ts'}} : {}),
      './package.json': './package.json',
    },
    files: ['dist', 'gemini.plugin.json', 'oclif.manifest.json', 'gemini.signature.json'],
    scripts: {build: 'gemini plugins build', test: 'gemini plugins test'},
    oclif: {commands: './dist/commands', topicSeparator: ' '},
    gemini: {
      manifest: './gemini.plugin.json',
      kernel: `^${kernel}`,
      requires: {
        services: {
          ...(kinds.has('setting') ? {settings: '^1'} : {}),
          ...(counts ? {workspace: '^1'} : {}),
        },
      },
      capabilities: counts ? ['fs:read'] : [],
    },
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((peer) => [peer, {optional: true}])),
    devDependencies: {'@types/node': '^20.11.0', typescript: '^5.4.0'},
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The tsconfig.json of a new plugin. */
export const tsconfigJson = `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "NodeNext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "verbatimModuleSyntax": true,
    "declaration": true,
    "skipLibCheck": true,
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
`;
