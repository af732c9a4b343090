import type {Catalog} from '@gemini-kernel/kernel/host';
import type {Services} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-sandbox/contract';

type EnclosureName = `enclosure:${string}`;

interface Host {
  readonly catalog: Catalog;
  readonly signal: AbortSignal;
  end(code: number): void;
}

/**
 * Runs a conversation with these words in a sandbox that holds the whole program, where one is asked for, and ends as
 * it ends. False where this program continues itself. Throws what the enclosure throws.
 */
export async function enterEnclosure(
  words: readonly string[],
  host: Host,
  open: (name: EnclosureName) => Promise<Services[EnclosureName]>,
): Promise<boolean> {
  const names = [...host.catalog.services.keys()].filter((name): name is EnclosureName =>
    name.startsWith('enclosure:'),
  );
  for (const name of names) {
    const code = await (await open(name)).enter(['chat', ...words], host.signal);
    if (code === undefined) continue;
    host.end(code);
    return true;
  }
  return false;
}
