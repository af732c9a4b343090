import type {AgentRun} from './contract.js';
import {describeWorktree} from './running/in-worktree.js';

const WHY = {turns: 'MAX_TURNS', time: 'TIMEOUT', tokens: 'MAX_TOKENS', cost: 'MAX_COST'} as const;

/** A run for the model that asked for it, in the words of Gemini CLI. */
export function reportRun({agent, text, limit, worktree}: AgentRun): string {
  const reason = limit ? WHY[limit] : 'GOAL';
  return [
    limit ? `Subagent '${agent}' stopped before it was done.` : `Subagent '${agent}' finished.`,
    `Termination Reason: ${reason}`,
    'Result:',
    text.trim() === '' ? 'It reported nothing.' : text,
    ...(worktree ? ['', describeWorktree(worktree)] : []),
  ].join('\n');
}

/** A run in one line, for people. */
export function describeRun({agent, status, limit, turns, tokens, ms}: AgentRun): string {
  const ends = {done: 'done', limit: `stopped: ${limit ?? 'limit'} used up`, failed: 'failed', refused: 'refused'};
  const size = tokens > 0 ? `, ${tokens} tokens` : '';
  return `${agent}: ${ends[status]} (${turns} turn${turns === 1 ? '' : 's'}${size}, ${(ms / 1000).toFixed(1)} s)`;
}
