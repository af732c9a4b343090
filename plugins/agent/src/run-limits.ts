import type {AgentParts} from './agent-parts.js';
import type {AgentSettings} from './agent-settings.js';
import type {RunLimits, TurnEnd} from './contract.js';
import {nameOf} from './model-route.js';
import {priceOf} from './statistics.js';

type Reached = Pick<TurnEnd, 'status'> & Required<Pick<TurnEnd, 'error'>>;

/** The lowest of several limits; a missing or negative value means no limit. */
export function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const given = limits.filter((limit) => limit !== undefined && limit >= 0) as number[];
  return given.length > 0 ? Math.min(...given) : undefined;
}

/**
 * The limits of one prompt: its own, or those of the settings; never above the administrator's. The file of an agent
 * is not the person's word about money: there, the lower cost counts.
 */
export function settleLimits({turns, cost}: RunLimits, settings: AgentSettings, isOfAgent: boolean): RunLimits {
  const mostTurns = lowest(turns ?? settings.maxTurns, settings.managedTurns);
  const ownCost = isOfAgent ? lowest(cost, settings.maxCost) : (cost ?? settings.maxCost);
  const mostCost = lowest(ownCost, settings.managedCost);
  return {...(mostTurns === undefined ? {} : {turns: mostTurns}), ...(mostCost === undefined ? {} : {cost: mostCost})};
}

/** The end of a prompt whose conversation has reached a limit; undefined while another request is allowed. */
export async function findLimit(
  parts: AgentParts,
  limits: RunLimits,
  {prices}: AgentSettings,
): Promise<Reached | undefined> {
  const {state, statistics, route} = parts;
  const {turns, cost} = limits;
  if (turns !== undefined && state.turns >= turns) {
    const used = turns === 1 ? 'its one turn' : `its ${turns} turns`;
    const message = `The conversation has used ${used} before the model was done.`;
    const hint = 'Raise --max-turns or the setting model.maxSessionTurns, or start a new conversation.';
    return {status: 'limit', error: {code: 'TURNS_EXHAUSTED', message, hint}};
  }
  if (cost === undefined) return undefined;
  const {models} = statistics.read(prices);
  const names = [...models.map(({model}) => model), nameOf(await route.find(route.chosen))];
  const unknown = names.find((model) => !priceOf(model, prices));
  if (unknown) {
    const message = `The price of ${unknown} is not known, so its cost cannot be limited to $${cost}.`;
    const hint = 'Add its price to model.prices in your own settings, or remove the limit.';
    return {status: 'failed', error: {code: 'COST_UNKNOWN', message, hint}};
  }
  const silent = models.find(({requests, errors, usage}) => requests > errors && usage.total + usage.input === 0);
  if (silent) {
    const message = `${silent.model} does not report its tokens, so its cost cannot be limited to $${cost}.`;
    const hint = 'Limit the run with --max-turns or --timeout.';
    return {status: 'failed', error: {code: 'COST_UNKNOWN', message, hint}};
  }
  const spent = models.reduce((sum, one) => sum + (one.cost ?? 0), 0);
  if (spent < cost) return undefined;
  const message = `The conversation has cost $${spent.toFixed(4)} of its limit of $${cost} before the model was done.`;
  const hint = 'Raise --max-cost or the setting model.maxSessionCost, or start a new conversation.';
  return {status: 'limit', error: {code: 'COST_EXHAUSTED', message, hint}};
}
