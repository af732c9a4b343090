import {writeAtomically} from '@gemini-kernel/files/writing';

/** Replaces the file of a history with these entries. */
export async function shortenHistory(path: string, entries: readonly string[]): Promise<void> {
  await writeAtomically(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), {durable: false});
}
