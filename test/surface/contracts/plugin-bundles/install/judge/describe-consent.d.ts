import type { LockedPlugin } from '@gemini-kernel/admission';
import type { Candidate } from './candidate.js';
import { type PluginChange } from './compare-locked.js';
import { describeTier } from './explain-capability.js';
export interface ConsentSubject extends Candidate {
  readonly name: string;
  readonly before: LockedPlugin | undefined;
  readonly lookalike: string | undefined;
  readonly now: Date;
  readonly tier?: Parameters<typeof describeTier>[0];
}
export declare function describeConsent(subject: ConsentSubject, change: PluginChange): readonly string[];
