import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {AskLimits} from './ask-model.js';
import type {Price} from './statistics.js';

/** What the settings say about the turn loop, read anew for each prompt. */
export interface AgentSettings {
  readonly ask: AskLimits;
  /** Requests that a conversation may take; below zero = as many as it likes. */
  readonly maxSessionTurns: number;
  /** Share of a model's limit from which the history is compressed; 0 = never. */
  readonly compressionThreshold: number;
  readonly detectLoops: boolean;
  readonly withTree: boolean;
}

/** Reads them; a value of the wrong type counts as not set. */
export async function readSettings(settings: Settings): Promise<AgentSettings> {
  const number = async (key: string, usual: number): Promise<number> => {
    const value = await settings.get(key);
    return typeof value === 'number' && Number.isFinite(value) ? value : usual;
  };
  return {
    ask: {
      maxAttempts: Math.max(1, Math.min(10, await number('general.maxAttempts', 10))),
      initialMs: await number('model.retryDelay', 5000),
      silenceMs: Math.min(1000 * (await number('model.inactivityTimeout', 300)), 2 ** 31 - 1),
    },
    maxSessionTurns: await number('model.maxSessionTurns', -1),
    compressionThreshold: await number('model.compressionThreshold', 0.5),
    detectLoops: (await settings.get('model.disableLoopDetection')) !== true,
    withTree: (await settings.get('context.includeDirectoryTree')) !== false,
  };
}

/** Dollars for a million tokens, by model. */
export async function readPrices(settings: Settings): Promise<Readonly<Record<string, Price>>> {
  const value = await settings.get('model.prices');
  return typeof value === 'object' && value !== null ? (value as Record<string, Price>) : {};
}

/** The models to fall back to; undefined = as the provider says. */
export async function readFallback(settings: Settings): Promise<readonly string[] | undefined> {
  const value = await settings.get('model.fallback');
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}
