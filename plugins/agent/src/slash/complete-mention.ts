import type {ServiceContext} from '@gemini-kernel/kernel';
import type {ArgumentCompletion} from '../contract.js';

/** Candidates of one source beyond this are left out. */
const MOST = 200;
/** `@text` at the end of a line, with a backslash before characters that would end it. */
const MENTION = /(?:^|[^\\])@((?:\\.|[^\s\\,;!?()[\]{}"'])*)$/;
const SPECIAL = /[\s,;!?()[\]{}\\"']/g;

/** Completes `@text` at the end of a line from the sources of mentions; undefined when the line ends otherwise. */
export async function completeMention(
  {names, service}: Pick<ServiceContext, 'names' | 'service'>,
  line: string,
  signal: AbortSignal,
): Promise<ArgumentCompletion | undefined> {
  const typed = MENTION.exec(line)?.[1];
  if (typed === undefined) return undefined;
  const text = typed.replace(/\\(.)/g, '$1');
  const found = await Promise.all(
    names('mentions').map(async (name): Promise<readonly string[]> => {
      const source = await service(name as `mentions:${string}`);
      // A source that cannot say now offers nothing; the mention itself says why.
      return (await source.complete?.(text, signal).catch(() => [])) ?? [];
    }),
  );
  const candidates = found.flatMap((some) => some.filter((one) => one.startsWith(text)).slice(0, MOST));
  return {typed, candidates: candidates.map((one) => one.replace(SPECIAL, '\\$&'))};
}
