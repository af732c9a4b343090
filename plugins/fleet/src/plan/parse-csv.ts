import type {Row} from './plan.js';
import {planFault} from './plan-fault.js';

/** Rows of comma-separated values (RFC 4180) below a line of names. Throws KernelError FLEET_PLAN_INVALID. */
export function parseCsv(text: string, file: string): readonly Row[] {
  const [names = [], ...records] = parseRecords(text, file).filter((record) => record.some((one) => one !== ''));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw planFault(file, `the column ${JSON.stringify(twice)} is there twice.`);
  return records.map((record, index) => {
    if (record.length !== names.length)
      throw planFault(file, `row ${index + 1} has ${record.length} values, and there are ${names.length} columns.`);
    return Object.fromEntries(names.map((name, at) => [name.trim(), record[at] ?? '']));
  });
}

/** A value in quotes with its separator, a value without, or an end of line. */
const PIECE = /"((?:[^"]|"")*)"(,|\r?\n|$)|([^",\r\n]*)(,|\r?\n|$)/y;

function parseRecords(text: string, file: string): readonly (readonly string[])[] {
  const piece = new RegExp(PIECE);
  const records: string[][] = [[]];
  while (piece.lastIndex < text.length) {
    const found = piece.exec(text);
    if (!found) throw planFault(file, `row ${records.length - 1} has a quote that is not closed, or text beside one.`);
    const [, quoted, afterQuoted, bare = '', afterBare] = found;
    records.at(-1)?.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if ((afterQuoted ?? afterBare) !== ',') records.push([]);
  }
  return records;
}
