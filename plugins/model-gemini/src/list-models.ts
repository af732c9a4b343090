import type {ListedModel} from '@gemini-kernel/plugin-agent/contract';
import type {Client} from './client.js';
import {untilAborted} from './until-aborted.js';

/** The models that can be asked for text. */
export async function* listModels(client: Client, signal: AbortSignal | undefined): AsyncGenerator<ListedModel> {
  const leaving = signal ? {abortSignal: signal} : {};
  const pager = await untilAborted(client.models.list({config: {pageSize: 1000, ...leaving}}), signal);
  for await (const {name = '', description, inputTokenLimit, supportedActions} of pager) {
    signal?.throwIfAborted();
    if (supportedActions && !supportedActions.includes('generateContent')) continue;
    yield {name: name.replace(/^(publishers\/google\/)?models\//, ''), ...(description === undefined ? {} : {description}), ...(inputTokenLimit === undefined ? {} : {inputLimit: inputTokenLimit})};
  }
}
