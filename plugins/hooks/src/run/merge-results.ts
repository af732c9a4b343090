import type {HookVerdict} from '../contract.js';
import {isTable} from '../is-table.js';
import type {HookResult} from './judge-outcome.js';

const STRICTNESS = ['allow', 'ask', 'deny'] as const;

/** What several results come to: deny over ask over allow, and any hook can stop the agent. */
export function mergeResults(results: readonly HookResult[]): HookVerdict {
  const ranks = results.map(({decision}) => (decision ? STRICTNESS.indexOf(decision) : -1));
  const highest = Math.max(-1, ...ranks);
  const decision = STRICTNESS[highest];
  const deciding = results.filter((_, index) => highest >= 0 && ranks[index] === highest);
  const reason = join(deciding.map((one) => one.reason ?? ''));
  const stop = join(results.map((one) => one.stop ?? ''));
  const context = join(results.map((one) => one.context ?? ''));
  return {
    ...(decision ? {decision} : {}),
    ...(reason === '' ? {} : {reason}),
    ...(stop === '' ? {} : {stop}),
    ...(context === '' ? {} : {context}),
    ...(results.some(({isClosed}) => isClosed) ? {isFailure: true as const} : {}),
    by: deciding.map(({hook}) => hook.name),
    messages: results.flatMap(({message, answer}) => (message && answer?.suppressOutput !== true ? [message] : [])),
    specific: mergeSpecific(results.map(({specific}) => specific)),
  };
}

function join(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

type Specific = Readonly<Record<string, unknown>>;

/** Later fields replace earlier ones; inputs of tools are merged, and choices of tools are joined. */
function mergeSpecific(all: readonly Specific[]): Specific {
  return all.reduce((before, next) => {
    const merged: Record<string, unknown> = {...before, ...next};
    for (const key of ['tool_input', 'llm_request'])
      if (isTable(before[key]) && isTable(next[key])) merged[key] = {...before[key], ...next[key]};
    if (isTable(before['toolConfig']) && isTable(next['toolConfig']))
      merged['toolConfig'] = joinChoices(before['toolConfig'], next['toolConfig']);
    return merged;
  }, {});
}

const MODES = ['AUTO', 'ANY', 'NONE'];

/** The names of both; NONE is stronger than ANY, which is stronger than AUTO. */
function joinChoices(a: Specific, b: Specific): Specific {
  const names = [a, b].flatMap(({allowedFunctionNames: one}) => (Array.isArray(one) ? (one as unknown[]) : []));
  const mode = MODES[Math.max(...[a, b].map((one) => MODES.indexOf(String(one['mode']))))];
  return {...(mode ? {mode} : {}), ...(names.length > 0 ? {allowedFunctionNames: [...new Set(names)].sort()} : {})};
}
