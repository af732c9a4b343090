import type {ListedModel, ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {OpenApi} from './api.js';
import type {Client} from './client.js';
import {tooSlow} from './explain-error.js';
import {LONGEST_WAIT_MS, withLimit} from './time-limit.js';
import {untilAborted} from './until-aborted.js';

type Listing = Pick<OpenApi, 'client' | 'host' | 'explain'>;

/** The models for text, and the failure if the list is incomplete. */
export async function listModels(
  {client, host, explain}: Listing,
  signal?: AbortSignal,
  limit = AbortSignal.timeout(LONGEST_WAIT_MS),
): Promise<{readonly models: readonly ListedModel[]; readonly failure?: ModelFailure}> {
  const models: ListedModel[] = [];
  try {
    for await (const model of readList(client, withLimit(limit, signal))) models.push(model);
    return {models};
  } catch (error) {
    signal?.throwIfAborted();
    return {models, failure: limit.aborted ? tooSlow(host) : await explain(error, 'The list of models', false)};
  }
}

async function* readList(client: Client, signal: AbortSignal): AsyncGenerator<ListedModel> {
  const pager = await untilAborted(client.models.list({config: {pageSize: 1000, abortSignal: signal}}), signal);
  for await (const {name = '', description, inputTokenLimit, supportedActions} of pager) {
    signal.throwIfAborted();
    if (supportedActions && !supportedActions.includes('generateContent')) continue;
    yield {
      name: name.replace(/^(publishers\/google\/)?models\//, ''),
      ...(description === undefined ? {} : {description}),
      ...(inputTokenLimit === undefined ? {} : {inputLimit: inputTokenLimit}),
    };
  }
}
