import {messageOf, ToolError} from '@gemini-kernel/kernel';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import {judgeHost, type HostRules} from '../address/judge-host.js';
import {readUrl} from '../address/read-url.js';
import type {Page} from '../contract.js';
import {readBody} from './read-body.js';
import {readPage} from './read-page.js';
import {requestDirectly, requestThroughProxy, type Answer} from './request.js';

const MOST_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** For the whole page, redirects included. */
export const LONGEST_MS = 30_000;

export interface FetchParts extends HostRules {
  readonly network: Pick<Network, 'fetch' | 'proxyFor' | 'explain'>;
  /** Before each request; throws when the host has had enough. */
  admit(host: string): void;
  /** Before each page, after its address was judged; throws when the site forbids it. */
  permits?(url: URL, signal: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
}

/** Fetches one page; each address on the way is judged before it is connected to. Throws what `Web.fetch` throws. */
export async function fetchPage(given: string, parts: FetchParts): Promise<Page> {
  const limit = AbortSignal.timeout(LONGEST_MS);
  const signal = AbortSignal.any([parts.signal, limit]);
  let url = readUrl(given);
  try {
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      const answer = await send(url, {...parts, signal});
      const target = REDIRECTS.has(answer.status) ? answer.header('location') : undefined;
      if (target === undefined) return await read({given, url, answer});
      answer.body.destroy();
      url = readUrl(URL.canParse(target, url.href) ? new URL(target, url.href).href : target);
    }
  } catch (cause) {
    parts.signal.throwIfAborted();
    if (limit.aborted)
      throw new ToolError('PAGE_UNREACHABLE', `${url.href} did not answer within ${LONGEST_MS / 1000} seconds.`, {
        cause,
      });
    throw cause;
  }
  throw new ToolError('PAGE_UNREACHABLE', `${given} redirects more than ${MOST_REDIRECTS} times.`);
}

async function send(url: URL, {signal, network, admit, permits, ...rules}: FetchParts): Promise<Answer> {
  const addresses = await judgeHost(url, rules);
  await permits?.(url, signal);
  admit(url.host);
  try {
    const wanted = {url, addresses, signal};
    const isDirect = (await network.proxyFor(url.href)) === undefined;
    return await (isDirect
      ? requestDirectly(wanted)
      : requestThroughProxy(wanted, (...args) => network.fetch(...args)));
  } catch (cause) {
    signal.throwIfAborted();
    const {message, hint} = await network.explain(url.href, cause);
    throw new ToolError('PAGE_UNREACHABLE', message || messageOf(cause), {cause, hint});
  }
}

async function read({
  given,
  url,
  answer,
}: {
  readonly given: string;
  readonly url: URL;
  readonly answer: Answer;
}): Promise<Page> {
  const bytes = await readBody(answer.body, answer.header('content-encoding'), url.href);
  const content = await readPage(bytes, answer.header('content-type'), url);
  return {url: given, finalUrl: url.href, status: answer.status, ...content};
}
