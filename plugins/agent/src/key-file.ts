import {join} from 'node:path';
import {isFileFault, readText} from '@gemini-kernel/files';
import {messageOf, type Environment} from '@gemini-kernel/kernel';
import {KeyBindings, readBindings, type ReadBindings} from '@gemini-kernel/terminal';

const LIMIT = 1_000_000;

/** The file with a person's keys. */
export function bindingsFile({home}: Pick<Environment, 'home'>): string {
  return join(home, '.gemini', 'keybindings.json');
}

/** The keys of the person: those of the file, over the standard ones. */
export async function loadBindings(file: string): Promise<ReadBindings> {
  try {
    return readBindings(await readText(file, {limit: LIMIT}));
  } catch (error) {
    const isAbsent = !isFileFault(error) && ['ENOENT', 'ENOTDIR'].includes((error as {code?: string}).code ?? '');
    return {bindings: new KeyBindings(), faults: isAbsent ? [] : [`It cannot be read: ${messageOf(error)}`]};
  }
}

/** The same, and a note about what is wrong. */
export async function openBindings(
  environment: Pick<Environment, 'home'>,
  note: (sentence: string) => void,
): Promise<KeyBindings> {
  const file = bindingsFile(environment);
  const {bindings, faults} = await loadBindings(file);
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  if (faults.length > 0) note(`${file}: ${faults[0] ?? ''}${more} \`gemini keys\` shows all of it.`);
  return bindings;
}
