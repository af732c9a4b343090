import type {Catalog} from '@gemini-kernel/kernel/host';
import type {Services} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-sandbox/contract';

type EnclosureName = `enclosure:${string}`;

interface Host {
  readonly catalog: Catalog;
  readonly signal: AbortSignal;
}

/**
 * Runs this program with these words in a sandbox that holds the whole program, where one is asked for. Gives its exit
 * code; undefined where this program continues itself. Throws what the enclosure throws.
 */
export async function enterEnclosure(
  words: readonly string[],
  host: Host,
  open: (name: EnclosureName) => Promise<Services[EnclosureName]>,
): Promise<number | undefined> {
  const names = [...host.catalog.services.keys()].filter((name): name is EnclosureName =>
    name.startsWith('enclosure:'),
  );
  for (const name of names) {
    const code = await (await open(name)).enter(words, host.signal);
    if (code !== undefined) return code;
  }
  return undefined;
}
