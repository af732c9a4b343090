import {basename, dirname, extname} from 'node:path';
import type {FileEntry} from '../table/file-entry.js';
import type {FileTable} from '../table/file-table.js';
import {isFrom, type From} from './import-source.js';
import {spellPattern} from './spell-pattern.js';

const NAME = '[A-Za-z_$\\u0080-\\uffff][\\w$\\u0080-\\uffff]*';
const SOURCE = '\\s*from\\s*(?<quote>[\'"])(?<source>[^\'"\\n]{1,300})\\k<quote>';

/** `other` of `import {name as other}`. */
export function importedAs(name: string, text: string): readonly string[] {
  return renamed('import', name, text);
}

/** `other` of `export {name as other}`. */
export function exportedAs(name: string, text: string): readonly string[] {
  return renamed('export', name, text).filter((other) => other !== 'default');
}

function renamed(word: 'export' | 'import', name: string, text: string): readonly string[] {
  const one = new RegExp(`(?<![\\w$])${spellPattern(name)}\\s+as\\s+(${NAME})`, 'g');
  const clauses = text.matchAll(new RegExp(`\\b${word}\\b[^;'"{}]{0,200}\\{([^}]{1,5000})\\}`, 'g'));
  const others = [...clauses].flatMap(([, clause = '']) => [...clause.matchAll(one)].map(([, other = '']) => other));
  return [...new Set(others)].filter((other) => other !== name);
}

/** Whether a module gives a name to those that do not say one. */
export function isDefault(name: string, text: string): boolean {
  const spelled = `${spellPattern(name)}(?![\\w$])`;
  const named = `\\bexport\\s+default\\s+(?:abstract\\s+|async\\s+)?(?:class\\s+|function\\s*\\*?\\s*)?${spelled}`;
  return new RegExp(`${named}|\\bexport\\s*\\{[^}]{0,1000}?\\b${spelled}\\s+as\\s+default\\b`).test(text);
}

/** `other` of `import other from` one of the files. */
export function defaultImportsOf(text: string, where: From): readonly string[] {
  const clause = new RegExp(
    `\\bimport\\s+(?:type\\s+)?(?<other>${NAME})(?:\\s*,\\s*\\{[^}]{0,1000}\\})?${SOURCE}`,
    'g',
  );
  return [...text.matchAll(clause)].flatMap(({groups}) =>
    isFrom(groups?.['source'] ?? '', where) ? [groups?.['other'] ?? ''] : [],
  );
}

/** Whether a file has a name from one of the files themselves, or has all that is in one. */
export function takesFrom(name: string, text: string, where: From): boolean {
  const spelled = `(?<![\\w$])${spellPattern(name)}(?![\\w$])`;
  const clause = new RegExp(
    `\\bimport\\b(?:[^;'"]{0,1000}?${spelled}[^;'"]{0,1000}?|\\s*\\*[^;'"]{0,200}?)${SOURCE}`,
    'g',
  );
  return [...text.matchAll(clause)].some(({groups}) => isFrom(groups?.['source'] ?? '', where));
}

/** Files that can name a file as a module: the last part of the path stands in them. */
export function importersOf(path: string, table: FileTable): readonly FileEntry[] {
  const stem = basename(path, extname(path));
  const last = /[\w$\u0080-\uffff]+$/.exec(stem === 'index' ? basename(dirname(path)) : stem)?.[0];
  return last === undefined ? [] : table.filesWith(last);
}
