import {dirname, resolve} from 'node:path';
import {importsInPython} from './python-imports.js';
import {spellPattern} from './spell-pattern.js';
import type {FileEntry} from '../table/file-entry.js';
import type {FileTable} from '../table/file-table.js';

/** Files whose imports say which module a name is from. */
export const SCRIPT = /\.[cm]?[jt]sx?$/;
const SCRIPT_ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs'];

/**
 * Whether a use of `name` in a file can mean a symbol of one of the files: the file imports it from there, or from
 * where that is not known. Languages without such imports say yes.
 */
export function canMean(name: string, text: string, where: Where): boolean {
  if (!SCRIPT.test(where.path)) return !/\.pyi?$/.test(where.path) || importsInPython(name, text, where);
  const sources = sourcesOf(name, text);
  if (sources.length === 0) return hasNoImports(text) || /\b(?:import|export)(?:\s+type)?\s*\*|require\(/.test(text);
  return sources.some((source) => leadsTo(source, name, where));
}

/** What a file can have a name from. */
export interface From {
  readonly path: string;
  /** Files that have it. */
  readonly targets: ReadonlySet<string>;
}

export interface Where extends From {
  readonly table: FileTable;
}

/** The modules that a text imports a name from, or passes it on from. */
function sourcesOf(name: string, text: string): readonly string[] {
  const spelled = spellPattern(name);
  const word = `(?<![\\w$])${spelled}(?![\\w$])`;
  const clause = `(?:import|export)\\b[^;'"]{0,1000}?${word}[^;'"]{0,1000}?from\\s*(['"])(.*?)\\1`;
  const required = `${word}[^;=]{0,200}=\\s*require\\((['"])(.*?)\\1\\)`;
  return [clause, required].flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, 'g'))].flatMap((match) => match[2] ?? []),
  );
}

/** A script whose names are those of every script. */
function hasNoImports(text: string): boolean {
  return !/^\s*(?:import|export)\b/m.test(text);
}

function leadsTo(source: string, name: string, {path, targets, table}: Where): boolean {
  if (!source.startsWith('.')) return true;
  const paths = pathsOf(source, path);
  if (paths.some((one) => targets.has(one))) return true;
  // A module that passes on what another has.
  const entry = paths.map((one) => table.files.get(one)).find((one) => one !== undefined);
  return entry !== undefined && passesOn(entry, name, table);
}

/** Whether a file names one of the files as a module, and not one that passes it on. */
export function isFrom(source: string, {path, targets}: From): boolean {
  return source.startsWith('.') && pathsOf(source, path).some((one) => targets.has(one));
}

/** The files that a relative module of a file can be. */
function pathsOf(source: string, path: string): readonly string[] {
  const base = resolve(dirname(path), source);
  const stem = base.replace(/\.[cm]?jsx?$/, '');
  const stems = [base, stem, resolve(base, 'index')];
  return [base, ...stems.flatMap((one) => SCRIPT_ENDINGS.map((ending) => one + ending))];
}

function passesOn(entry: FileEntry, name: string, table: FileTable): boolean {
  for (const {file} of table.definitions(name)) if (file.path === entry.path) return false;
  return true;
}
