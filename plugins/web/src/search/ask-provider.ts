import {isToolError, messageOf, ToolError} from '@gemini-kernel/kernel';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {SearchAnswer} from '../contract.js';
import type {Provider, ProviderConfig} from './providers.js';

const LONGEST_MS = 20_000;

interface Asked {
  readonly name: string;
  readonly provider: Provider;
  readonly config: ProviderConfig;
  readonly network: Pick<Network, 'fetch' | 'explain'>;
  readonly signal: AbortSignal;
}

/** Asks a provider of the settings. Throws ToolError SEARCH_FAILED. */
export async function askProvider(
  query: string,
  {name, provider, config, network, signal}: Asked,
): Promise<SearchAnswer> {
  const {url, init} = provider.ask(query, config);
  const fail = (why: string, cause?: unknown): ToolError =>
    new ToolError('SEARCH_FAILED', `${name} did not answer the search: ${why}.`, {
      cause,
      hint: 'gemini settings explain web.search shows how it is configured.',
    });
  const limit = AbortSignal.timeout(LONGEST_MS);
  try {
    const response = await network.fetch(url, {...init, redirect: 'error', signal: AbortSignal.any([signal, limit])});
    if (!response.ok) throw fail(`its status was ${response.status}`);
    const text = await response.text();
    return provider.read(parse(text, fail), config);
  } catch (cause) {
    signal.throwIfAborted();
    if (isToolError(cause)) throw cause;
    if (limit.aborted) throw fail(`it took more than ${LONGEST_MS / 1000} seconds`, cause);
    throw fail(URL.canParse(url) ? (await network.explain(url, cause)).message : messageOf(cause), cause);
  }
}

function parse(text: string, fail: (why: string, cause?: unknown) => ToolError): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail('its answer is not JSON', cause);
  }
}
