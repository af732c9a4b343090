import type {ListedModel, ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Endpoint} from './endpoint.js';
import {explainError} from './explain-error.js';
import {reach} from './reach.js';
import {explainRefusal} from './refusal.js';

interface Listed {
  readonly id?: unknown;
  /** vLLM and OpenRouter say how much a model takes. */
  readonly max_model_len?: unknown;
  readonly context_length?: unknown;
}

/** The models that a server has. */
export async function listModels(endpoint: Endpoint, network: Network, signal: AbortSignal | undefined): Promise<{readonly models: readonly ListedModel[]; readonly failure?: ModelFailure}> {
  const asked = {model: 'The list of models', baseUrl: endpoint.baseUrl};
  try {
    const response = await reach(endpoint, '/models', {signal});
    const text = await response.text();
    if (!response.ok) return {models: [], failure: explainRefusal({status: response.status, body: text, headers: response.headers}, asked)};
    const {data} = JSON.parse(text) as {readonly data?: readonly Listed[]};
    return {models: (data ?? []).flatMap(readListed)};
  } catch (error) {
    signal?.throwIfAborted();
    return {models: [], failure: await explainError(error, asked, network)};
  }
}

function readListed({id, max_model_len, context_length}: Listed): readonly ListedModel[] {
  const limit = [max_model_len, context_length].find((one) => typeof one === 'number');
  return typeof id === 'string' ? [{name: id, ...(limit === undefined ? {} : {inputLimit: limit})}] : [];
}
