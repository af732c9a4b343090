import {provide} from '@gemini-kernel/kernel';
import type {Model, ModelEvent} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

const CHARACTERS_PER_TOKEN = 4;

/** A provider whose models are recordings: `replay:<file>`. */
export default provide('model:replay', {
  version: '1.0.0',
  scope: 'place',
  capability: 'model',
  methods: ['check', 'describe', 'list', 'count', 'stream'],
  create({service}): Model {
    return {
      check: () => Promise.resolve(undefined),
      describe: (model) =>
        Promise.resolve({
          model,
          inputLimit: 0,
          images: true,
          documents: true,
          thinking: true,
          calls: true,
          fallback: [],
        }),
      list: () =>
        Promise.resolve({models: [{name: 'rehearsal', description: 'A run on the sample project of gemini tour.'}]}),
      count: (request) =>
        Promise.resolve({tokens: Math.ceil(JSON.stringify(request).length / CHARACTERS_PER_TOKEN), isExact: false}),
      async *stream({model}, signal): AsyncGenerator<ModelEvent> {
        signal.throwIfAborted();
        const recordings = await service('recordings');
        const events = await recordings.next(model);
        if (events) yield* events;
        else {
          const message =
            `The recording ${model} has ${await recordings.given(model)} answers, and one ` + 'more was asked for.';
          yield {
            kind: 'failed',
            failure: {
              kind: 'invalid',
              message,
              hint: 'Record the whole conversation again with --record-responses.',
              isFinal: true,
            },
          };
        }
      },
    };
  },
});
