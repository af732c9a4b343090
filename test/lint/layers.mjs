import {relative, sep} from 'node:path';

const ADVICE = {
  plugin:
    "A plugin may take only types from another, by `import type … from '@gemini-kernel/plugin-x/contract'`. " +
    "Values come at run time: await service('x').",
  kernel: 'The kernel names no plugin and nothing of the distribution; turn it around with a hook or a service.',
  files: 'kernel/files depends on nothing but Node, so that everything else can build on it.',
  ajv: 'Only kernel/src/schema.ts imports ajv, and only when a schema is first needed; call findViolations.',
  oclif:
    'Only kernel/src/oclif.ts and kernel commands meet @oclif/core, so that a kernel without a command line stays ' +
    'possible.',
  bin:
    'bin/ knows the kernel only; what it needs of a plugin goes through the catalog. (bin/src/build.ts may use the ' +
    'devkit, at build time.)',
  inside: 'Plugins are folders apart: a relative import may not leave its own src/.',
};

/**
 * Libraries for programs beside gemini, which a plugin that brings such a program builds on. They know nothing of a
 * kernel.
 */
const KITS = new Set(['@gemini-kernel/plugin-ide/companion']);

/** How a program meets the disk; every layer may use it. */
const FILES = new Set(['@gemini-kernel/files', '@gemini-kernel/files/writing']);

/** Which sentence an import breaks, or undefined. */
function findBreach(file, name, isType) {
  const [top, second] = file.split('/');
  const plugin = /^@gemini-kernel\/plugin-([^/]+)(\/.*)?$/.exec(name);
  if (top === 'kernel' && second === 'files') {
    if (!name.startsWith('node:') && !name.startsWith('./')) return ADVICE.files;
  } else if (top === 'kernel' && !FILES.has(name)) {
    if (name.startsWith('@gemini-kernel/') || name.startsWith('../../')) return ADVICE.kernel;
    if (name.startsWith('ajv') && !file.endsWith('src/schema.ts')) return ADVICE.ajv;
    if (name.startsWith('@oclif/') && !file.endsWith('src/oclif.ts')) return ADVICE.oclif;
  }
  if (top === 'plugins') {
    if (plugin && !(isType && plugin[2] === '/contract') && !KITS.has(name)) return ADVICE.plugin;
    if (name.startsWith('ajv')) return ADVICE.ajv;
    if (name.startsWith('@oclif/') && !file.includes('/src/commands/') && second !== 'devkit' && !isType)
      return ADVICE.oclif;
    const up = (name.match(/\.\.\//g) ?? []).length;
    if (up > file.split('/').length - 4) return ADVICE.inside;
  }
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
