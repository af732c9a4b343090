import {readFolder} from '../format/read-folder.js';
import type {Expectation, FileCheck, ProjectFile} from '../format/eval.js';
import {hashOf, type Prepared} from '../run/prepare-project.js';
import {textFaults} from './text-faults.js';

/** Why the files of a project are not as expected, as sentences. */
export async function checkFiles({changed, files}: Expectation, prepared: Prepared): Promise<readonly string[]> {
  if (changed === undefined && files.length === 0) return [];
  const faults: string[] = [];
  const found = await readFolder(prepared.project, (what) => new FolderFault(what)).catch((error: unknown) => {
    if (!(error instanceof FolderFault)) throw error;
    faults.push(`The project cannot be read: ${error.message}`);
    return undefined;
  });
  if (found === undefined) return faults;
  const after = new Map(found.map((file) => [file.path, file]));
  return [
    ...(changed === undefined ? [] : compareChanges(changed, prepared.before, after)),
    ...files.flatMap((check) => checkFile(check, prepared.before, after.get(check.path))),
  ];
}

class FolderFault extends Error {}

function checkFile(
  check: FileCheck,
  before: ReadonlyMap<string, string>,
  file: ProjectFile | undefined,
): readonly string[] {
  const {path, absent, unchanged, equal} = check;
  if (file === undefined) return absent ? [] : [`${path} is not there.`];
  if (absent) return [`${path} is there.`];
  const text = new TextDecoder().decode(file.bytes);
  return [
    ...(unchanged && before.get(path) !== hashOf(file.bytes) ? [`${path} was changed.`] : []),
    ...(equal === undefined || equal === text ? [] : [`${path} is not as expected${whereOf(equal, text)}.`]),
    ...textFaults(path, text, check),
  ];
}

/** The first line that differs. */
function whereOf(expected: string, found: string): string {
  const [wanted, got] = [expected.split('\n'), found.split('\n')];
  const at = wanted.findIndex((line, index) => line !== got[index]);
  const line = at === -1 ? wanted.length : at;
  const show = (text: string | undefined): string =>
    text === undefined ? 'no line' : JSON.stringify(text.slice(0, 80));
  return `: line ${line + 1} is ${show(got[line])}, not ${show(wanted[line])}`;
}

function compareChanges(
  expected: readonly string[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, ProjectFile>,
): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changed = paths.filter((path) => {
    const file = after.get(path);
    return (file === undefined ? undefined : hashOf(file.bytes)) !== before.get(path);
  });
  const more = changed.filter((path) => !expected.includes(path));
  const less = expected.filter((path) => !changed.includes(path));
  return [
    ...(more.length === 0 ? [] : [`These files were changed too: ${listed(more)}.`]),
    ...(less.length === 0 ? [] : [`These files were not changed: ${listed(less)}.`]),
  ];
}

function listed(paths: readonly string[]): string {
  return paths.length > 5 ? `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more` : paths.join(', ');
}
