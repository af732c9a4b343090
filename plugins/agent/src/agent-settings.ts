import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {AskLimits} from './ask-model.js';
import type {Price} from './statistics.js';

/** What the settings say about the turn loop, read anew for each prompt. */
export interface AgentSettings {
  readonly ask: AskLimits;
  /** Requests that a conversation may take; below zero = no limit. */
  readonly maxTurns: number;
  readonly managedTurns: number;
  /** Dollars that a conversation may cost; below zero = no limit. A project's settings do not count. */
  readonly maxCost: number;
  readonly managedCost: number;
  /** What costs are held against: without what a project says. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Share of a model's limit from which the history is compressed; 0 = never. */
  readonly compressionThreshold: number;
  readonly detectLoops: boolean;
  readonly withTree: boolean;
}

const toNumber = (value: unknown, usual: number): number => (Number.isFinite(value) ? (value as number) : usual);

/** Reads them; a value of the wrong type counts as not set. */
export async function readSettings(settings: Settings): Promise<AgentSettings> {
  const number = async (key: string, usual: number): Promise<number> => toNumber(await settings.get(key), usual);
  return {
    ask: {
      maxAttempts: Math.max(1, Math.min(10, await number('general.maxAttempts', 10))),
      initialMs: await number('model.retryDelay', 5000),
      silenceMs: Math.min(1000 * (await number('model.inactivityTimeout', 300)), 2 ** 31 - 1),
    },
    maxTurns: await number('model.maxSessionTurns', -1),
    managedTurns: toNumber(await settings.getManaged('model.maxSessionTurns'), -1),
    maxCost: toNumber(await settings.getApart('model.maxSessionCost'), -1),
    managedCost: toNumber(await settings.getManaged('model.maxSessionCost'), -1),
    prices: toPrices(await settings.getApart('model.prices')),
    compressionThreshold: await number('model.compressionThreshold', 0.5),
    detectLoops: (await settings.get('model.disableLoopDetection')) !== true,
    withTree: (await settings.get('context.includeDirectoryTree')) !== false,
  };
}

/** Dollars for a million tokens, by model. */
export async function readPrices(settings: Settings): Promise<Readonly<Record<string, Price>>> {
  return toPrices(await settings.get('model.prices'));
}

function toPrices(value: unknown): Readonly<Record<string, Price>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, Price>) : {};
}

/** The models to fall back to; undefined = as the provider says. */
export async function readFallback(settings: Settings): Promise<readonly string[] | undefined> {
  const value = await settings.get('model.fallback');
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}
