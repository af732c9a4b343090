import {KernelError} from '@gemini-kernel/kernel';
import type {AgentSettings} from '../agent-settings.js';
import type {RunLimits} from '../contract.js';
import {lowest} from '../run-limits.js';

/** The values of flags, as typed. */
export interface LimitFlags {
  readonly 'max-turns'?: string | undefined;
  readonly 'max-cost'?: string | undefined;
  readonly timeout?: string | undefined;
}

/** The limits of one run. */
export interface GivenLimits extends RunLimits {
  readonly timeoutMs?: number;
}

const UNITS: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000};
const DURATION = /^(\d{1,10}(?:\.\d{1,3})?)(ms|s|m|h)?$/;
/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Parses the limits from flags. Throws KernelError LIMIT_INVALID. */
export function readLimits({'max-turns': turns, 'max-cost': cost, timeout}: LimitFlags): GivenLimits {
  return {
    ...(turns === undefined ? {} : {turns: readTurns(turns)}),
    ...(cost === undefined ? {} : {cost: readCost(cost)}),
    ...(timeout === undefined ? {} : {timeoutMs: readDuration(timeout)}),
  };
}

/**
 * Applies the flags as typed; a prompt file can only lower the limits of the settings. Throws KernelError
 * LIMIT_INVALID.
 */
export function settleFileLimits(typed: LimitFlags, file: LimitFlags, settings: AgentSettings): GivenLimits {
  const [given, said] = [readLimits(typed), readLimits(file)];
  const turns = given.turns ?? lowest(said.turns, settings.maxTurns);
  const cost = given.cost ?? lowest(said.cost, settings.maxCost);
  return {...said, ...given, ...(turns === undefined ? {} : {turns}), ...(cost === undefined ? {} : {cost})};
}

function readTurns(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw invalid('--max-turns', text, 'a whole number from 1, such as 20');
}

function readCost(text: string): number {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) > 0) return Number(text);
  throw invalid('--max-cost', text, 'US dollars, such as 0.50');
}

function readDuration(text: string): number {
  const [, count = '', unit = 's'] = DURATION.exec(text) ?? [];
  const ms = Math.round(Number(count) * (UNITS[unit] ?? 0));
  if (count !== '' && ms > 0 && ms <= LONGEST_MS) return ms;
  throw invalid('--timeout', text, 'seconds or a time such as 90s, 10m or 1h, at most 24 days');
}

function invalid(flag: string, value: string, takes: string): KernelError {
  const message = `${flag} does not accept ${JSON.stringify(value)}.`;
  return new KernelError('LIMIT_INVALID', message, {hint: `Pass ${takes}.`});
}
