import {provide} from '@gemini-kernel/kernel';
import type {Model, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import {ApiOpener} from '../api.js';
import {describeModel, resolveAlias} from '../known-models.js';
import {untilAborted} from '../until-aborted.js';

/** Gemini models, by key, on Vertex or behind a gateway. */
export default provide('model:gemini', {
  version: '1.0.0',
  scope: 'place',
  capability: 'model',
  methods: ['check', 'describe', 'list', 'count', 'stream'],
  create({environment, service}): Model {
    const opener = new ApiOpener(service);
    return {
      async check() {
        const found = await opener.find();
        return 'failure' in found ? found.failure : undefined;
      },
      describe: (model) => Promise.resolve(describeModel(model)),
      async list(signal) {
        const api = await untilAborted(opener.open(), signal);
        if ('failure' in api) return {models: [], failure: api.failure};
        const {listModels} = await import('../list-models.js');
        return listModels(api, signal);
      },
      async count(given, signal) {
        const request = resolve(given);
        const api = await untilAborted(opener.open(), signal);
        const {countTokens, estimateTokens} = await import('../count-tokens.js');
        return 'failure' in api
          ? {tokens: estimateTokens(request), isExact: false}
          : countTokens(request, {...api, signal});
      },
      async *stream(given, signal) {
        const request = resolve(given);
        const api = await untilAborted(opener.open(), signal);
        if ('failure' in api) return yield {kind: 'failed', failure: api.failure};
        const {streamAnswer} = await import('../stream-answer.js');
        yield* streamAnswer(request, {...api, signal, newId: () => environment.newId()});
      },
    };
  },
});

function resolve(request: ModelRequest): ModelRequest {
  return {...request, model: resolveAlias(request.model)};
}
