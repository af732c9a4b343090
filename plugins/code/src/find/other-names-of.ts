import {setImmediate} from 'node:timers/promises';
import {readSource} from '../parse/source-file.js';
import type {FileEntry} from '../table/file-entry.js';
import {canMean, SCRIPT} from './import-source.js';
import {defaultImportsOf, exportedAs, importedAs, importersOf, isDefault, takesFrom} from './other-names.js';
import type {Searched} from './references-to.js';

/** More modules that pass a symbol on by other names are not followed. */
const MOST_PASSED_ON = 8;

/** Another name that a file has for a symbol. */
interface OtherName {
  readonly file: FileEntry;
  readonly text: string;
  readonly name: string;
}

interface Asked {
  /** The scripts that define the symbol. */
  readonly targets: ReadonlySet<string>;
  readonly searched: Searched;
}

/**
 * The other names that scripts have for a symbol: `import {name as other}`, a default import, and what a module passes
 * on with `export {name as other}`.
 */
export async function* otherNamesOf(name: string, asked: Asked): AsyncGenerator<OtherName> {
  const {targets, searched} = asked;
  const {table} = searched;
  const passedOn: {readonly path: string; readonly name: string}[] = [];
  for await (const {file, text} of scripts(table.filesWith(name), searched)) {
    const {path} = file;
    if (!targets.has(path) && !canMean(name, text, {path, targets, table})) continue;
    for (const other of importedAs(name, text)) yield {file, text, name: other};
    for (const other of exportedAs(name, text)) passedOn.push({path, name: other});
  }
  for (const target of targets) yield* byDefault(name, target, asked);
  for (const {path: from, name: other} of passedOn.slice(0, MOST_PASSED_ON))
    for await (const {file, text} of scripts(table.filesWith(other), searched))
      if (takesFrom(other, text, {path: file.path, targets: new Set([from])})) yield {file, text, name: other};
}

async function* byDefault(name: string, target: string, {searched}: Asked): AsyncGenerator<OtherName> {
  const source = readSource(target);
  if ('fault' in source || !isDefault(name, source.text)) return;
  for await (const {file, text} of scripts(importersOf(target, searched.table), searched))
    for (const other of defaultImportsOf(text, {path: file.path, targets: new Set([target])}))
      if (other !== name) yield {file, text, name: other};
}

async function* scripts(
  files: readonly FileEntry[],
  {signal}: Searched,
): AsyncGenerator<{readonly file: FileEntry; readonly text: string}> {
  for (const file of files) {
    if (!SCRIPT.test(file.path)) continue;
    await setImmediate();
    signal.throwIfAborted();
    const source = readSource(file.path);
    if (!('fault' in source)) yield {file, text: source.text};
  }
}
