import type {AgentParts} from './agent-parts.js';
import type {AgentSettings} from './agent-settings.js';
import {askPartsOf} from './ask-parts.js';
import {compressNow} from './compress-now.js';
import type {AgentWatch, ModelAbilities, ModelRequest} from './contract.js';
import type {FitLimits} from './fit-history.js';
import {toMessages} from './entry-text.js';
import {estimateMessages, estimateRequest} from './estimate-tokens.js';
import type {FoundModel} from './model-route.js';
import type {Ended} from './run-stop.js';

/** Counts are estimates: a request that is this full may already be too long. */
const FULL = 0.98;

export interface RoomParts {
  readonly parts: AgentParts;
  readonly settings: AgentSettings;
  readonly watch: AgentWatch;
  /** The request as it would be sent to a model now. */
  build(found: FoundModel): Promise<ModelRequest>;
}

/** Compresses when the history nears the model's limit; gives an end when even that is not enough. */
export async function makeRoom({parts, settings, watch, build}: RoomParts): Promise<Ended | undefined> {
  const {route, state} = parts;
  const found = await route.find(route.chosen);
  const {abilities} = found;
  if (abilities.inputLimit === 0) return undefined;
  const limits = fitLimits(settings, abilities);
  // A model's count includes everything around the history.
  const size = async (): Promise<number> =>
    (await countTokens(parts, limits)) + (state.counted ? 0 : estimateRequest({...(await build(found)), messages: []}));
  let tokens = await size();
  const {compressAt = limits.compressAt} = await parts.fitting.fit(limits);
  if (limits.compressAt > 0 && !state.isIncompressible && tokens >= compressAt) {
    await compressNow(
      parts,
      {askParts: askPartsOf(parts, {limits: settings.ask, isBeside: true}), isAsked: false},
      watch,
    );
    tokens = await size();
  }
  if (tokens <= FULL * abilities.inputLimit) return undefined;
  return {
    status: 'failed',
    error: {
      code: 'CONTEXT_TOO_LONG',
      message:
        `The conversation has about ${tokens} tokens, and the limit of ${abilities.model} is ` +
        `${abilities.inputLimit}. It was not sent.`,
      hint: 'Run /compress, go back with /rewind, or start a new conversation with a shorter prompt.',
    },
  };
}

/**
 * The length of the history as requests have it: the last count, plus an estimate of what came after, less what is
 * shortened since.
 */
async function countTokens({fitting, state}: AgentParts, limits: FitLimits): Promise<number> {
  const {tokens, entries, saved} = state.counted ?? {tokens: 0, entries: 0, saved: 0};
  const now = await fitting.fit(limits);
  const savedNow = now.saved.slice(0, entries).reduce((sum, one) => sum + one, 0);
  return tokens - (savedNow - saved) + estimateMessages(toMessages(now.entries.slice(entries)));
}

/** What a history may be, for one model. */
export function fitLimits({compressionThreshold}: AgentSettings, {inputLimit}: ModelAbilities): FitLimits {
  return {inputLimit, compressAt: Math.max(0, compressionThreshold) * inputLimit};
}
