import type {ConvertedParts} from './read-parts.js';
import {FILL, PLACE, SHELL} from './runtime-texts.js';

/** A service of the plugin. */
interface ConvertedService {
  readonly family: string;
  /** What it brings, for the README. */
  readonly does: string;
  readonly scope: 'place' | 'session';
  /** Lines of code before the service, and what `create` gives. */
  readonly imports: readonly string[];
  readonly create: string;
}

/** The services that an extension becomes. */
export function servicesOf(parts: ConvertedParts): readonly ConvertedService[] {
  const inUse = [...contextOf(parts), ...serversOf(parts), ...foldersOf(parts), ...rulesOf(parts)];
  return [...inUse, ...hooksOf(parts), ...themesOf(parts), ...planFolderOf(parts)];
}

/** The code of the plugin: its services, its settings, and what these share. */
export function serviceFiles(parts: ConvertedParts): Readonly<Record<string, string>> {
  const {owner, settings, servers, hooks} = parts;
  const services = servicesOf(parts).map((one) => [`dist/services/${one.family}.js`, serviceText(one, owner)] as const);
  const needsValues = Object.keys(servers).length > 0 || hooks !== undefined;
  return {
    'dist/place.js': PLACE,
    ...(Object.keys(servers).length > 0 ? {'dist/fill.js': FILL} : {}),
    ...(hooks ? {'dist/to-shell.js': SHELL} : {}),
    ...(needsValues ? {'dist/values.js': valuesText(parts)} : {}),
    ...(settings.length > 0 ? {'dist/settings/values.js': settingsText(parts)} : {}),
    ...Object.fromEntries(services),
  };
}

function serviceText({family, scope, imports, create}: ConvertedService, owner: string): string {
  return [
    "import {provide} from '@gemini-kernel/kernel';",
    ...imports,
    '',
    `export default provide(${JSON.stringify(`${family}:${owner}`)}, {`,
    "  version: '1.0.0',",
    `  scope: '${scope}',`,
    "  methods: ['list'],",
    `  create: ${create},`,
    '});',
    '',
  ].join('\n');
}

function contextOf({contextFiles, name}: ConvertedParts): readonly ConvertedService[] {
  if (contextFiles.length === 0) return [];
  const title = JSON.stringify(`Extension ${name}`);
  return [
    {
      family: 'context',
      does: `tells the model what is in ${contextFiles.join(', ')}`,
      scope: 'session',
      imports: [
        "import {readFile} from 'node:fs/promises';",
        "import {join} from 'node:path';",
        "import {folder} from '../place.js';",
        '',
        `const files = ${JSON.stringify(contextFiles)};`,
      ],
      create:
        '() => ({\n    async list() {\n' +
        "      const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));\n" +
        "      const said = texts.map((text) => text.trim()).filter((text) => text !== '');\n" +
        `      return said.map((text) => ({place: 'start', title: ${title}, text, from: ${JSON.stringify(name)}}));\n` +
        '    },\n  })',
    },
  ];
}

function serversOf({servers, name}: ConvertedParts): readonly ConvertedService[] {
  const names = Object.keys(servers);
  if (names.length === 0) return [];
  return [
    {
      family: 'mcp-servers',
      does: `the MCP servers ${names.join(', ')}`,
      scope: 'place',
      imports: [
        "import {fillServer} from '../fill.js';",
        "import {folder} from '../place.js';",
        "import {readValues, readVariables} from '../values.js';",
        '',
        `const servers = ${JSON.stringify(servers, null, 2)};`,
      ],
      create:
        '({service, environment}) => ({\n    async list() {\n' +
        '      const values = await readValues(service);\n' +
        '      const known = {...readVariables(environment), ...values};\n' +
        '      const places = {extensionPath: folder, workspacePath: environment.cwd};\n' +
        '      return Object.entries(servers).map(([name, server]) => ({\n' +
        `        name,\n        from: ${JSON.stringify(name)},\n` +
        '        value: fillServer(server, {places, known, values}),\n      }));\n    },\n  })',
    },
  ];
}

function foldersOf({hasCommands, hasSkills, name}: ConvertedParts): readonly ConvertedService[] {
  const folder = (family: string, does: string, key: string, inner: string): ConvertedService => ({
    family,
    does,
    scope: 'place',
    imports: ["import {join} from 'node:path';", "import {folder} from '../place.js';"],
    create:
      `() => ({\n    list: async () => [{${key}: join(folder, '${inner}'), ` +
      `owner: ${JSON.stringify(name)}}],\n  })`,
  });
  return [
    ...(hasCommands ? [folder('command-folders', 'slash commands', 'folder', 'commands')] : []),
    ...(hasSkills ? [folder('skill-folders', 'skills', 'path', 'skills')] : []),
  ];
}

function rulesOf({hasPolicies, excludedTools, name}: ConvertedParts): readonly ConvertedService[] {
  if (!hasPolicies && excludedTools.length === 0) return [];
  const excluded = JSON.stringify(excludedTools);
  return [
    {
      family: 'rules',
      does: 'rules, and tools that no call may use',
      scope: 'place',
      imports: ["import {folder} from '../place.js';"],
      create:
        `() => ({\n    list: async () => [{name: ${JSON.stringify(name)}, folder, ` +
        `excludedTools: ${excluded}}],\n  })`,
    },
  ];
}

function hooksOf({hooks, name}: ConvertedParts): readonly ConvertedService[] {
  if (!hooks) return [];
  return [
    {
      family: 'hook-sources',
      does: 'hooks',
      scope: 'place',
      imports: [
        "import {folder} from '../place.js';",
        "import {toShell} from '../to-shell.js';",
        "import {readValues} from '../values.js';",
        '',
        `const hooks = ${JSON.stringify(hooks, null, 2)};`,
      ],
      create:
        '({service, environment}) => ({\n    async list() {\n' +
        '      const places = {extensionPath: folder, workspacePath: environment.cwd};\n' +
        '      const variables = {...(await readValues(service)), ...places};\n' +
        `      return [{owner: ${JSON.stringify(name)}, hooks: toShell(hooks, environment.platform), variables}];\n` +
        '    },\n  })',
    },
  ];
}

function themesOf({themes}: ConvertedParts): readonly ConvertedService[] {
  if (themes.length === 0) return [];
  return [
    {
      family: 'themes',
      does: `the themes ${themes.map(({name}) => name).join(', ')}`,
      scope: 'place',
      imports: ['', `const themes = ${JSON.stringify(themes, null, 2)};`],
      create: '() => ({\n    list: async () => themes,\n  })',
    },
  ];
}

function planFolderOf({planFolder: directory, name: owner}: ConvertedParts): readonly ConvertedService[] {
  if (directory === undefined) return [];
  return [
    {
      family: 'plan-folders',
      does: `plans of a project are kept in ${directory}`,
      scope: 'place',
      imports: ['', `const folders = ${JSON.stringify([{owner, directory}])};`],
      create: '() => ({\n    list: async () => folders,\n  })',
    },
  ];
}

/** Values of settings come from the person, never from a project. */
function valuesText({settings, variables, section}: ConvertedParts): string {
  const keys = settings.map(({envVar}) => `  ${envVar}: ${JSON.stringify(`${section}.${envVar}`)},`);
  const read =
    keys.length === 0
      ? ['export async function readValues() {', '  return {};', '}']
      : [
          'export async function readValues(service) {',
          "  const settings = await service('settings');",
          '  const read = async ([name, key]) => [name, await settings.getApart(key)];',
          '  const entries = await Promise.all(Object.entries(keys).map(read));',
          "  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && value !== ''));",
          '}',
        ];
  return [
    ...(keys.length === 0 ? [] : ['const keys = {', ...keys, '};', '']),
    '/** Values of settings, by variable. What a project says does not count. */',
    ...read,
    '',
    '/** Variables of the person that its servers read. */',
    `export function readVariables(${variables.length > 0 ? '{variables}' : ''}) {`,
    ...(variables.length === 0
      ? ['  return {};']
      : ['  return {', ...variables.map((name) => `    ${name}: variables.${name},`), '  };']),
    '}',
    '',
  ].join('\n');
}

function settingsText({settings, section, name}: ConvertedParts): string {
  const specs = settings.map(({envVar, name: label, description, isSecret}) => {
    const about = JSON.stringify(description === '' ? `${label}.` : description);
    const rest = `description: ${about}, category: ${JSON.stringify(name)}${isSecret ? ', secret: true' : ''}`;
    return `  ${envVar}: {schema: {type: 'string'}, ${rest}},`;
  });
  return [
    "import {defineSettings} from '@gemini-kernel/kernel';",
    '',
    `export default defineSettings(${JSON.stringify(section)}, {`,
    ...specs,
    '});',
    '',
  ].join('\n');
}
