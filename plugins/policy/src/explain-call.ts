import type {Explained, Looked} from './contract.js';
import type {Engine} from './engine/engine.js';
import type {Circumstances, Judged} from './engine/judge-part.js';
import {sayWhy} from './engine/say.js';
import type {Rule} from './rule.js';

const sureness = {no: 0, maybe: 1, yes: 2} as const;

/**
 * How a call would be judged, with every rule that was looked at for any part of it, as near as it came to speaking.
 */
export async function explainCall(engine: Engine, call: Judged, circumstances: Circumstances): Promise<Explained> {
  const looked = new Map<Rule, Looked & {readonly rank: number}>();
  const judgement = await engine.judge(call, circumstances, ({rule, rank}, match) => {
    const before = looked.get(rule)?.match ?? 'no';
    looked.set(rule, {rule, rank, match: sureness[match] > sureness[before] ? match : before});
  });
  const {mode, interactive} = circumstances;
  return {
    mode,
    interactive,
    decision: judgement.decision,
    reason: sayWhy(judgement, interactive),
    parts: judgement.parts.map(({what, finding, reason}) => ({
      what,
      decision: finding.decision,
      ...(finding.rule ? {rule: finding.rule} : {}),
      ...(reason ? {reason} : {}),
    })),
    looked: [...looked.values()].sort((a, b) => a.rank - b.rank).map(({rule, match}) => ({rule, match})),
  };
}
