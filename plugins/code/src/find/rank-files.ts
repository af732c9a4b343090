import type {RankedFile, SymbolKind} from '../contract.js';
import {languageOf} from '../languages/languages.js';
import {visibleSymbols} from '../show/outline-text.js';
import type {FileEntry} from '../table/file-entry.js';
import type {FileTable} from '../table/file-table.js';
import {saysImports} from '../table/imported-names.js';
import {isWithin} from './within.js';

/** Short names are those of loops and letters. */
const SHORTEST = 3;
/** How much a use of a symbol says about its file. Names of members are shared by many types. */
const WEIGHTS: Readonly<Partial<Record<SymbolKind, number>>> = {member: 0, property: 0, method: 0.1, variable: 0.5};
/** Tests use the program, and few read them to know it. */
const TESTS = /(?:^|[\\/])(?:tests?|__tests__|spec|fixtures)[\\/]|[._-](?:test|spec)\.[^.]+$|(?:^|[\\/])test_[^\\/]*$/i;
const TEST_WEIGHT = 0.1;

/**
 * Files by how much others use what they define. Each symbol counts the files that import its name, or in languages
 * without imports by name have it, divided among all symbols of that name.
 */
export function rankFiles(table: FileTable, path?: string): readonly RankedFile[] {
  const scoreOf = scorer(table);
  const ranked: RankedFile[] = [];
  for (const file of table.files.values()) {
    if (!isWithin(file.path, path) || file.symbols.length === 0) continue;
    const symbols = visibleSymbols(table.symbols(file)).map(({symbol}) => ({symbol, score: scoreOf(symbol)}));
    const sum = symbols.reduce((total, {score}) => total + score, 0);
    ranked.push({path: file.path, score: sum * (TESTS.test(file.path) ? TEST_WEIGHT : 1), symbols});
  }
  return ranked.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

function scorer(table: FileTable): (symbol: {readonly name: string; readonly kind: SymbolKind}) => number {
  const [users, definitions] = [new Int32Array(table.names.size), new Int32Array(table.names.size)];
  for (const file of table.files.values()) {
    for (const id of usesOf(file)) users[id] = (users[id] ?? 0) + 1;
    for (const id of table.symbolNames(file)) definitions[id] = (definitions[id] ?? 0) + 1;
  }
  return ({name, kind}) => {
    const id = table.names.find(name);
    if (id === undefined || name.length < SHORTEST) return 0;
    const share = (users[id] ?? 0) / (definitions[id] ?? 1);
    return Math.sqrt(share) * (WEIGHTS[kind] ?? 1);
  };
}

function usesOf({path, words, imports}: FileEntry): Int32Array {
  const language = languageOf(path);
  return language && saysImports(language) ? imports : words;
}
