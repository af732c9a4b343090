import {isKernelError, provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {Model, ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-env/contract';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {findEndpoint, type Endpoint} from '../endpoint.js';
import {estimateTokens} from '../estimate-tokens.js';
import {describeModel} from '../known-model.js';

/** Models behind any server that speaks OpenAI's chat completions. */
export default provide('model:openai', {
  version: '1.0.0',
  scope: 'place',
  capability: 'model',
  methods: ['check', 'describe', 'list', 'count', 'stream'],
  create({environment, service}): Model {
    return {
      async check() {
        const found = await find(service);
        return 'failure' in found ? found.failure : undefined;
      },
      describe: async (model) => describeModel(model, await (await service('settings')).get('openai.models')),
      async list(signal) {
        const opened = await open(service);
        signal?.throwIfAborted();
        if ('failure' in opened) return {models: [], failure: opened.failure};
        const {listModels} = await import('../list-models.js');
        return listModels(opened.endpoint, opened.network, signal);
      },
      count: (request) => Promise.resolve({tokens: estimateTokens(request), isExact: false}),
      async *stream(request, signal) {
        signal.throwIfAborted();
        const opened = await open(service);
        if ('failure' in opened) return yield {kind: 'failed', failure: opened.failure};
        const {streamAnswer} = await import('../stream-answer.js');
        yield* streamAnswer(request, {...opened, signal, newId: () => `call_${environment.newId()}`});
      },
    };
  },
});

type Lookup = ServiceContext['service'];

/** Looks again each time: a key may be set while the program runs. */
async function find(service: Lookup): ReturnType<typeof findEndpoint> {
  const [settings, variables] = await Promise.all([service('settings'), service('variables')]);
  return findEndpoint({variable: (name) => variables.get(name), setting: (key) => settings.getApart(key)});
}

async function open(
  service: Lookup,
): Promise<{readonly endpoint: Endpoint; readonly network: Network} | {readonly failure: ModelFailure}> {
  const found = await find(service);
  if ('failure' in found) return found;
  const network = await service('network');
  try {
    await network.prepare();
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return {
      failure: {
        kind: 'network',
        message: error.message,
        isFinal: true,
        ...(error.hint === undefined ? {} : {hint: error.hint}),
      },
    };
  }
  return {endpoint: found.endpoint, network};
}
