import type {AgentParts} from './agent-parts.js';
import type {AgentSettings} from './agent-settings.js';
import type {RunLimits, TurnEnd} from './contract.js';
import {nameOf} from './model-route.js';
import {priceOf} from './statistics.js';

type Reached = Pick<TurnEnd, 'status'> & Required<Pick<TurnEnd, 'error'>>;

/** The lowest of several limits; what is not given or below zero is no limit. */
export function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const given = limits.filter((limit) => limit !== undefined && limit >= 0) as number[];
  return given.length > 0 ? Math.min(...given) : undefined;
}

/** The limits of one prompt: its own, else those of the settings; never above the administrator's. */
export function settleLimits({turns, cost}: RunLimits, settings: AgentSettings): RunLimits {
  const mostTurns = lowest(turns ?? settings.maxTurns, settings.managedTurns);
  const mostCost = lowest(cost ?? settings.maxCost, settings.managedCost);
  return {...(mostTurns === undefined ? {} : {turns: mostTurns}), ...(mostCost === undefined ? {} : {cost: mostCost})};
}

/** The end of a prompt whose conversation has used up a limit; undefined while the model may be asked once more. */
export async function findLimit(
  parts: AgentParts,
  limits: RunLimits,
  {prices}: AgentSettings,
): Promise<Reached | undefined> {
  const {state, statistics, route} = parts;
  const {turns, cost} = limits;
  if (turns !== undefined && state.turns >= turns) {
    const used = turns === 1 ? 'its one turn' : `its ${turns} turns`;
    const message = `This conversation has used ${used}, and the model was not done.`;
    const hint = 'Raise --max-turns or the setting model.maxSessionTurns, or start a new conversation.';
    return {status: 'limit', error: {code: 'TURNS_EXHAUSTED', message, hint}};
  }
  if (cost === undefined) return undefined;
  const {models} = statistics.read(prices);
  const names = [...models.map(({model}) => model), nameOf(await route.find(route.chosen))];
  const unknown = names.find((model) => !priceOf(model, prices));
  if (unknown) {
    const message = `The price of ${unknown} is not known, so its cost cannot be held to $${cost}.`;
    const hint = 'Put its price into your own setting model.prices, or leave out the limit.';
    return {status: 'failed', error: {code: 'COST_UNKNOWN', message, hint}};
  }
  const silent = models.find(({requests, errors, usage}) => requests > errors && usage.total + usage.input === 0);
  if (silent) {
    const message = `${silent.model} does not say how many tokens it takes, so its cost cannot be held to $${cost}.`;
    const hint = 'Limit the run by --max-turns or --timeout.';
    return {status: 'failed', error: {code: 'COST_UNKNOWN', message, hint}};
  }
  const spent = models.reduce((sum, one) => sum + (one.cost ?? 0), 0);
  if (spent < cost) return undefined;
  const message = `This conversation has cost $${spent.toFixed(4)} of its $${cost}, and the model was not done.`;
  const hint = 'Raise --max-cost or the setting model.maxSessionCost, or start a new conversation.';
  return {status: 'limit', error: {code: 'COST_EXHAUSTED', message, hint}};
}
