import {posix, relative, sep} from 'node:path';

const ADVICE = {
  plugin:
    "A plugin may take only types from another, by `import type … from '@gemini-kernel/plugin-x/contract'`. " +
    "Values come at run time: await service('x').",
  kernel:
    'The kernel names no plugin and nothing of the distribution, and its packages depend on each other one way: files, ' +
    'kernel, then admission and command, then terminal.',
  files: 'kernel/files and kernel/processes depend on nothing but Node, so that everything else can build on them.',
  ajv: 'Only kernel/src/catalog/schema.ts imports ajv, and only when a schema is first needed; call findViolations.',
  oclif:
    'Only kernel/command and the commands of plugins meet @oclif/core, so that a kernel without a command line stays ' +
    'possible.',
  floors:
    'The floors of kernel/src import downwards: contract, catalog, hooks, scopes, calls. Move what is shared down.',
  bin:
    'bin/ knows the kernel only; what it needs of a plugin goes through the catalog. (bin/src/build.ts may use the ' +
    'devkit, at build time.)',
  inside: 'Plugins are folders apart: a relative import may not leave its own src/.',
  built: "Only tests load the built files of bin/, kernel/ and plugins, by '#bin/…', '#kernel/…' and '#plugins/…'.",
};

/**
 * Libraries for programs beside gemini, which a plugin that brings such a program builds on, the parts that
 * interfaces of a conversation share, and those that engines of queues share.
 */
const KITS = new Set([
  '@gemini-kernel/plugin-ide/companion',
  '@gemini-kernel/plugin-agent/front',
  '@gemini-kernel/plugin-agent/front/views',
  '@gemini-kernel/plugin-agent/headless',
  '@gemini-kernel/plugin-agent/calls',
  '@gemini-kernel/plugin-agent/cases',
  '@gemini-kernel/plugin-agent/editor',
  '@gemini-kernel/plugin-fleet/queues',
]);

/** Floors of kernel/src, the lowest first: each imports from itself and from those below it. */
const FLOORS = ['contract', 'catalog', 'hooks', 'scopes', 'calls'];

/** What each package in kernel/ may import beside Node and its own files. */
const KERNEL_PACKAGES = {
  admission: ['@gemini-kernel/files', '@gemini-kernel/kernel'],
  command: ['@gemini-kernel/kernel', '@oclif/core'],
  files: [],
  processes: [],
  sdk: [
    '@gemini-kernel/admission',
    '@gemini-kernel/files',
    '@gemini-kernel/kernel',
    '@gemini-kernel/plugin-agent/headless',
  ],
  src: ['ajv'],
  terminal: ['@gemini-kernel/command', '@gemini-kernel/files', 'string-width'],
};

/** The rank of a file in kernel/src; what is in no floor stands above all of them. */
function rankOf(file) {
  const rank = FLOORS.indexOf(file.split('/')[2]);
  return rank < 0 ? FLOORS.length : rank;
}

/** The parts of an installation, from those that use others down to those that use none. */
const INSTALL = {
  'install/report': ['install/judge', 'install/commit', 'install/source'],
  'install/dependencies': ['install/fetch', 'install/judge', 'install/unpack', 'install/source'],
  'install/fetch': ['install/judge', 'install/source'],
  'install/judge': ['install/source'],
  'install/commit': ['install/source'],
  'install/unpack': [],
  'install/source': [],
};
const INSTALLING = Object.keys(INSTALL);

/**
 * Which folders of a plugin may import from which, besides from themselves and from the files directly in its src,
 * which import from none. Contributions may import from all.
 */
const PARTS = {
  'plugins/bundles/src': {
    ...INSTALL,
    install: INSTALLING,
    bundle: ['install', ...INSTALLING],
    catalog: ['install', ...INSTALLING],
    watch: ['install', ...INSTALLING],
  },
};
/** What a plugin adds, which no part of it imports. */
const CONTRIBUTION = /^((build|contract|errors)\.[jt]s$|(commands|flags|hooks|listeners|services|settings|tools)\/)/;

/** Which part of a plugin a file lies in: the innermost folder that has a name in the table, or `src`. */
function partOf(path, table) {
  const names = Object.keys(table).filter((name) => path.startsWith(`${name}/`));
  return names.sort((a, b) => b.length - a.length)[0] ?? 'src';
}

/** Says what a part may import from, when an import leads elsewhere. */
function findWrongWay(file, name) {
  const root = Object.keys(PARTS).find((folder) => file.startsWith(`${folder}/`));
  if (root === undefined || !name.startsWith('.')) return undefined;
  const [own, target] = [file, posix.join(posix.dirname(file), name)].map((path) => posix.relative(root, path));
  if (CONTRIBUTION.test(own)) return undefined;
  const [from, to] = [partOf(own, PARTS[root]), partOf(target, PARTS[root])];
  const allowed = [...(PARTS[root][from] ?? []), 'src'];
  if (!CONTRIBUTION.test(target) && (from === to || allowed.includes(to))) return undefined;
  return `${from} imports from ${allowed.join(', ')} only. The README of the plugin says what is in each part.`;
}

function findKernelBreach(file, name, isType) {
  const folder = file.split('/')[1];
  if (folder === 'sdk' && isType && /^@gemini-kernel\/plugin-[^/]+\/contract$/.test(name)) return undefined;
  if (name.startsWith('node:')) return undefined;
  if (name.startsWith('.')) {
    const target = posix.join(posix.dirname(file), name);
    if (!target.startsWith(`kernel/${folder}/`)) return ADVICE.kernel;
    return folder === 'src' && rankOf(target) > rankOf(file) ? ADVICE.floors : undefined;
  }
  const isAllowed = KERNEL_PACKAGES[folder]?.some((one) => name === one || name.startsWith(`${one}/`)) ?? false;
  if (!isAllowed) return KERNEL_PACKAGES[folder]?.length === 0 ? ADVICE.files : ADVICE.kernel;
  return name.startsWith('ajv') && !file.endsWith('/catalog/schema.ts') ? ADVICE.ajv : undefined;
}

function findPluginBreach(file, name, isType) {
  const plugin = /^@gemini-kernel\/plugin-([^/]+)(\/.*)?$/.exec(name);
  if (plugin && !(isType && plugin[2] === '/contract') && !KITS.has(name)) return ADVICE.plugin;
  if (name.startsWith('ajv')) return ADVICE.ajv;
  const mayMeetOclif = file.includes('/src/commands/') || file.startsWith('plugins/devkit/') || isType;
  if (name.startsWith('@oclif/') && !mayMeetOclif) return ADVICE.oclif;
  const up = (name.match(/\.\.\//g) ?? []).length;
  return up > file.split('/').length - 4 ? ADVICE.inside : findWrongWay(file, name);
}

/** Which sentence an import breaks, or undefined. */
function findBreach(file, name, isType) {
  const [top] = file.split('/');
  if (/^#(bin|kernel|plugins)\//.test(name)) return top === 'test' ? undefined : ADVICE.built;
  if (top === 'kernel') return findKernelBreach(file, name, isType);
  if (top === 'plugins') return findPluginBreach(file, name, isType);
  const plugin = /^@gemini-kernel\/plugin-([^/]+)/.exec(name);
  if (top === 'bin' && plugin && !(file.endsWith('src/build.ts') && plugin[1] === 'devkit')) return ADVICE.bin;
  return undefined;
}

/** Keeps the layers of docs/architecture.md apart. */
export default {
  meta: {type: 'problem', schema: []},
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const check = (node, source, isType) => {
      const breach = typeof source?.value === 'string' && findBreach(file, source.value, isType);
      if (breach)
        context.report({node, message: `Import of '{{name}}': {{breach}}`, data: {name: source.value, breach}});
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => node.source && check(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
    };
  },
};
