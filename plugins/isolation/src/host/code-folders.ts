import {existsSync, readFileSync, realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';

export interface CodeFolders {
  /** Where they really are. */
  readonly code: readonly string[];
  /** What Node looks for at a link that lies in none of them. */
  readonly lent: readonly {readonly path: string; readonly source: string}[];
}

/** The tree of the plugin, and what of gemini it is lent. `entry` is the first program of its process. */
export function codeFolders(root: string, entry: string, isCommand: boolean): CodeFolders {
  const own = realpathSync(treeOf(root));
  const program = realpathSync(entry);
  const ofGemini = packagesAbove(dirname(dirname(program)));
  const packages = [...new Set([...[root, treeOf(root)].flatMap((one) => packagesAbove(one)), ...ofGemini])];
  const reals = packages.map((path) => realpathSync(path));
  const more = isCommand ? reals.flatMap((real) => [...closureOf(real)]) : [];
  const code = outermost([own, program, ...reals, ...reals.flatMap(needsOf), ...more]);
  const lent = packages
    .map((path, index) => ({path, source: reals[index] ?? path}))
    .filter(({path, source}) => path !== source && !path.startsWith(`${own}/`));
  const kernels = kernelFiles(program, ofGemini, [...reals, ...lent.map(({path}) => path)]);
  return {code, lent: [...lent, ...(isCommand ? lent.flatMap(besideOf) : []), ...kernels]};
}

/** Without what lies in another one of them: each mount takes time. */
function outermost(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** The kernel of gemini in one file, which is quicker to load than its modules, over its first module. */
function kernelFiles(program: string, ofGemini: readonly string[], places: readonly string[]): CodeFolders['lent'] {
  const source = join(dirname(program), KERNEL_FILE);
  const own = ofGemini.filter((path) => path.endsWith(KERNEL)).map((path) => realpathSync(path));
  const isOwn = (path: string): boolean => own.includes(realpathSync(path));
  return [...new Set(places.filter(isOwn))].map((path) => ({path: join(path, 'dist', 'index.js'), source}));
}

/** In a store, the packages of a plugin lie beside it. */
function treeOf(root: string): string {
  const match = /^(.*?)[\\/]node_modules[\\/]/.exec(`${root}/`);
  return match?.[1] && root.includes('node_modules') ? match[1] : root;
}

const KERNEL = '@gemini-kernel/kernel';
const KERNEL_FILE = 'child-kernel.js';
const LENT = [KERNEL, '@gemini-kernel/command', '@oclif/core'];

function packagesIn(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => join(folder, 'node_modules', name)).filter(existsSync);
}

/** Where Node would find what is lent, from a folder on. */
function packagesAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  const found = packagesIn(folder, LENT);
  return found.length > 0 || above === folder ? found : packagesAbove(above);
}

/** What the kernel needs itself, where Node finds it. */
function needsOf(real: string): readonly string[] {
  const needs = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'require-from-string'];
  const above = (folder: string): readonly string[] => {
    const modules = join(folder, 'node_modules');
    if (existsSync(join(modules, 'ajv'))) return needs.map((name) => join(modules, name)).filter(existsSync);
    return dirname(folder) === folder ? [] : above(dirname(folder));
  };
  return above(real);
}

/** What a lent package needs, where Node looks for it from where that is lent. */
function besideOf({path, source}: CodeFolders['lent'][number]): CodeFolders['lent'] {
  const folder = path.slice(0, path.lastIndexOf('/node_modules/') + MODULES.length);
  return [...closureOf(source)]
    .map((real) => ({path: `${folder}${real.slice(real.lastIndexOf(MODULES) + MODULES.length)}`, source: real}))
    .filter((one) => !existsSync(one.path));
}

const MODULES = '/node_modules/';

/** Everything that a package needs, where Node finds it. */
function closureOf(real: string, found = new Set<string>()): ReadonlySet<string> {
  for (const name of dependenciesOf(real)) {
    const path = findAbove(real, name);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    closureOf(path, found);
  }
  return found;
}

function dependenciesOf(folder: string): readonly string[] {
  try {
    const {dependencies = {}} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    return Object.keys(dependencies);
  } catch {
    // What it lacks, Node says when it is imported.
    return [];
  }
}

function findAbove(folder: string, name: string): string | undefined {
  const path = join(folder, 'node_modules', name);
  if (existsSync(path)) return realpathSync(path);
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder), name);
}
