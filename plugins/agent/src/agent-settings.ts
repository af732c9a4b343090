import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {AgentParts} from './agent-parts.js';
import type {AskLimits} from './ask-model.js';
import type {Price} from './statistics.js';

/** The settings of the turn loop, read again for each prompt. */
export interface AgentSettings {
  readonly ask: AskLimits;
  /** The most requests of a conversation; below zero = no limit. */
  readonly maxTurns: number;
  readonly managedTurns: number;
  /** The most dollars a conversation may cost; below zero = no limit. A project's settings do not count. */
  readonly maxCost: number;
  readonly managedCost: number;
  /** The prices for cost limits: without those from the project. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Share of a model's input limit at which the history is compressed; 0 = never. */
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

/** The settings of a prompt. Listeners may have changed those of compression. */
export async function prepareSettings({settings, context}: AgentParts): Promise<AgentSettings> {
  const read = await readSettings(settings);
  const value = {threshold: read.compressionThreshold};
  const {threshold = value.threshold} = await context.dispatch('compression:prepare', {value});
  return {...read, compressionThreshold: threshold};
}

/** Dollars per million tokens, by model. */
export async function readPrices(settings: Settings): Promise<Readonly<Record<string, Price>>> {
  return toPrices(await settings.get('model.prices'));
}

function toPrices(value: unknown): Readonly<Record<string, Price>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, Price>) : {};
}

/** The models to fall back to; undefined = the provider's own chain. */
export async function readFallback(settings: Settings): Promise<readonly string[] | undefined> {
  const value = await settings.get('model.fallback');
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}
