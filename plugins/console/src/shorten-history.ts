import {writeAtomically} from '@gemini-kernel/files/writing';

/** Writes the entries of a history in place of all that it had. */
export async function shortenHistory(path: string, entries: readonly string[]): Promise<void> {
  await writeAtomically(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), {durable: false});
}
