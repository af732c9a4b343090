import type {AgentParts} from './agent-parts.js';
import type {AskLimits, AskParts} from './ask-model.js';

/** What a conversation needs to ask a model. */
export function askPartsOf({route, statistics, context}: AgentParts, limits: AskLimits): AskParts {
  return {
    route,
    statistics,
    limits,
    prepare: (request) => context.dispatch('model:request', {value: request}),
    filter: (model, event) => context.dispatch('model:response', {model, value: event}),
  };
}
