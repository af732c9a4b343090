import type {Kernel} from '@gemini-kernel/kernel/host';
import type {SentNotice} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from './contract.js';

type EnclosureName = `enclosure:${string}`;

interface Entering {
  readonly signal: AbortSignal;
  /** Whether it is a conversation with a person, or one prompt. */
  readonly interactive: boolean;
}

/** How a conversation begins. */
interface Entered {
  /** Its exit code, where it ran in a sandbox; undefined where this program continues itself. */
  readonly code: number | undefined;
  /** What was said meanwhile, which the host has shown. */
  readonly notices: readonly SentNotice[];
}

/**
 * Runs a conversation with these words elsewhere, where that is asked for: in a sandbox that holds the whole program,
 * or in a worktree. It reads settings in a session of its own: what they have to say belongs to the report of the
 * conversation. Throws what the enclosure throws.
 */
export async function enterEnclosure(
  words: readonly string[],
  kernel: Pick<Kernel, 'catalog' | 'open'>,
  {signal, interactive}: Entering,
): Promise<Entered> {
  const names = [...kernel.catalog.services.keys()].filter((name): name is EnclosureName =>
    name.startsWith('enclosure:'),
  );
  const session = kernel.open({live: true, interactive: false});
  try {
    const all = await Promise.all(names.map((name) => session.service(name)));
    const ordered = [...all.filter(({isOuter}) => isOuter), ...all.filter(({isOuter}) => !isOuter)];
    let code: number | undefined;
    for (const enclosure of ordered)
      code ??= await enclosure.enter(['chat', ...words], signal, {isConversation: interactive});
    return {code, notices: await (await session.service('run-notices')).take()};
  } finally {
    await session.close();
  }
}
