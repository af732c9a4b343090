import {fileURLToPath} from 'node:url';
import type {Place} from '../contract.js';
import {isTable} from './connection.js';

/** More places of one answer are not read. */
const MOST = 20_000;

/** The places in files that a server answers with; what has another shape is left out. */
export function readPlaces(answer: unknown): readonly Place[] {
  return Array.isArray(answer) ? answer.slice(0, MOST).flatMap(readPlace) : [];
}

function readPlace(one: unknown): readonly Place[] {
  const {uri, range} = isTable(one) ? one : {};
  const {line, character} = isTable(range) && isTable(range['start']) ? range['start'] : {};
  const path = typeof uri === 'string' ? pathOf(uri) : undefined;
  if (path === undefined || !isCount(line) || !isCount(character)) return [];
  return [{path, line: line + 1, column: character + 1}];
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    // Not a file, or no address at all.
    return undefined;
  }
}
