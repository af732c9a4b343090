import type {AgentParts} from './agent-parts.js';
import type {AskLimits, AskParts} from './ask-model.js';
import type {ModelEvent, OutgoingRequest} from './contract.js';

/** What asking a model takes, in one conversation. */
export function askPartsOf({route, statistics, context}: AgentParts, limits: AskLimits): AskParts {
  return {
    route,
    statistics,
    limits,
    prepare: async (request) => (await context.dispatch('model:request', {value: request})) as OutgoingRequest,
    filter: async (model, event) => (await context.dispatch('model:response', {model, value: event})) as ModelEvent,
  };
}
