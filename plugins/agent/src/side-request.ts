import {readSettings} from './agent-settings.js';
import type {AgentParts} from './agent-parts.js';
import {askModel} from './ask-model.js';
import {askPartsOf} from './ask-parts.js';
import type {ModelFailure, SideAnswer, SideRequest} from './contract.js';

const USELESS: ModelFailure = {kind: 'invalid', message: 'The model gave no usable answer.'};

/**
 * Asks the model of a session, or another one, something beside its conversation. Throws the signal's reason, and
 * KernelError MODEL_UNKNOWN.
 */
export async function askBeside(
  parts: AgentParts,
  {model: named, system = '', messages, tools = [], config = {}}: SideRequest,
  signal: AbortSignal,
): Promise<SideAnswer> {
  const {ask} = await readSettings(parts.settings);
  const route = named === undefined ? parts.route : parts.route.other(named);
  const asked = await askModel(
    askPartsOf({...parts, route}, {limits: ask, isBeside: true}),
    {
      build: ({abilities: {model}}) => Promise.resolve({model, system, messages, tools, config}),
      isLoop: () => false,
    },
    // The person watches the conversation.
    {signal, onEvent: () => undefined},
  );
  signal.throwIfAborted();
  if (asked.status === 'failed') return {status: 'failed', failure: asked.failure};
  const {end, usage, pieces} = asked.answer;
  if (asked.status !== 'whole') return {status: 'failed', failure: USELESS};
  return {
    status: 'answered',
    model: asked.model,
    pieces,
    end: end?.reason ?? 'other',
    ...(usage ? {usage} : {}),
  };
}
