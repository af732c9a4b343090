import type {AgentInfo} from './contract.js';

type Limits = Pick<AgentInfo, 'maxTurns' | 'maxMinutes' | 'maxTokens' | 'maxCost'>;

/** What an agent may use, for people. */
export function describeLimits({maxTurns, maxMinutes, maxTokens, maxCost}: Limits): string {
  const limits = [`${maxTurns} turns`, `${maxMinutes} minutes`];
  if (maxTokens !== undefined) limits.push(`${maxTokens} tokens`);
  if (maxCost !== undefined) limits.push(`$${maxCost}`);
  return limits.join(', ');
}
