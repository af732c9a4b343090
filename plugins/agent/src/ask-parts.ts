import type {AgentParts} from './agent-parts.js';
import type {AskLimits, AskParts} from './ask-model.js';

/** What a conversation needs to ask a model; `isBeside`: something that is not the next step of the conversation. */
export function askPartsOf(
  {route, statistics, context}: AgentParts,
  {limits, isBeside}: {readonly limits: AskLimits; readonly isBeside: boolean},
): AskParts {
  return {
    route,
    limits,
    prepare: (request) => context.dispatch('model:request', {value: request}),
    filter: (model, event) => context.dispatch('model:response', {model, value: event}),
    async end(ended) {
      const {model, ms, usage, failure} = ended;
      statistics.countRequest(model, {ms, usage, failed: failure !== undefined});
      await context.dispatch('model:end', {...ended, isBeside});
    },
  };
}
