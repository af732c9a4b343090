import type {ListedModel, ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Endpoint} from './endpoint.js';
import {explainError, explainResponse, tooSlow, withoutKey} from './explain-error.js';
import {reach} from './reach.js';

/** How long a list may take: it needs no thought. */
const LONGEST_WAIT_MS = 15_000;

interface Listed {
  readonly id?: unknown;
  /** vLLM and OpenRouter say how much a model takes. */
  readonly max_model_len?: unknown;
  readonly context_length?: unknown;
}

/** The models that a server has. */
export async function listModels(
  endpoint: Endpoint,
  network: Network,
  signal?: AbortSignal,
  limit = AbortSignal.timeout(LONGEST_WAIT_MS),
): Promise<{readonly models: readonly ListedModel[]; readonly failure?: ModelFailure}> {
  const asked = {model: 'The list of models', baseUrl: endpoint.baseUrl};
  try {
    const response = await reach(endpoint, '/models', {
      network,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const failure = await explainResponse(response, asked);
    if (failure) return {models: [], failure: withoutKey(failure, endpoint.key)};
    const {data} = JSON.parse(await response.text()) as {readonly data?: readonly Listed[]};
    return {models: (data ?? []).flatMap(readListed)};
  } catch (error) {
    signal?.throwIfAborted();
    return {
      models: [],
      failure: limit.aborted
        ? tooSlow(asked, LONGEST_WAIT_MS / 1000)
        : withoutKey(await explainError(error, asked, network), endpoint.key),
    };
  }
}

function readListed({id, max_model_len, context_length}: Listed): readonly ListedModel[] {
  const limit = [max_model_len, context_length].find((one) => typeof one === 'number');
  return typeof id === 'string' ? [{name: id, ...(limit === undefined ? {} : {inputLimit: limit})}] : [];
}
