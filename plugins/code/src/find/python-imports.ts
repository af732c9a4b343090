import {dirname, join, resolve, sep} from 'node:path';
import type {FileEntry} from '../table/file-entry.js';
import type {FileTable} from '../table/file-table.js';
import {spellPattern} from './spell-pattern.js';

interface Where {
  readonly path: string;
  readonly targets: ReadonlySet<string>;
  readonly table: FileTable;
}

/**
 * Whether a Python file has a name from one of the files: it imports it, or imports a module and asks that for it. What
 * a module outside of the workspace has is another thing.
 */
export function importsInPython(name: string, text: string, where: Where): boolean {
  return sourcesOf(name, text).some((source) => leadsTo(source, name, where));
}

/** The modules that a text takes a name from, or whose attributes it uses. */
function sourcesOf(name: string, text: string): readonly string[] {
  const listed = `\\([^)]{0,2000}?\\b${spellPattern(name)}\\b|[^\\n]{0,500}?\\b${spellPattern(name)}\\b|\\*`;
  const taken = new RegExp(`^[ \\t]*from[ \\t]+(\\S+)[ \\t]+import[ \\t]+(?:${listed})`, 'gm');
  const asked = text.includes(`.${name}`)
    ? [...text.matchAll(/^[ \t]*import[ \t]+([^\n#]{1,500})/gm)].flatMap(([, modules = '']) => modules.split(','))
    : [];
  // A module of a package can be taken by its name, and asked for the symbol.
  const modules =
    asked.length > 0 || text.includes(`.${name}`) ? text.matchAll(/^[ \t]*from[ \t]+(\S+)[ \t]+import/gm) : [];
  return [
    ...[...text.matchAll(taken)].flatMap(([, module = '']) => module),
    ...asked.map((one) => one.trim().split(/\s/)[0] ?? ''),
    ...[...modules].flatMap(([, module = '']) => module),
  ];
}

function leadsTo(source: string, name: string, where: Where): boolean {
  return modulesOf(source, where).some((entry) => where.targets.has(entry.path) || passesOn(entry, name, where.table));
}

/** The files of the workspace that a module can be. */
function modulesOf(source: string, {path, table}: Where): readonly FileEntry[] {
  const dots = /^\.*/.exec(source)?.[0].length ?? 0;
  const parts = source
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const base = dots > 0 ? resolve(dirname(path), ...Array.from({length: dots - 1}, () => '..')) : undefined;
  const ends = [join(...parts, '__init__.py'), ...(parts.length > 0 ? [`${join(...parts)}.py`] : [])];
  const isOne = (file: string): boolean =>
    base === undefined ? ends.some((end) => file.endsWith(sep + end)) : ends.some((end) => file === join(base, end));
  return [...table.files.values()].filter((entry) => isOne(entry.path));
}

/** A package that has the name from another of its modules. */
function passesOn(entry: FileEntry, name: string, table: FileTable): boolean {
  for (const {file} of table.definitions(name)) if (file.path === entry.path) return false;
  return true;
}
