import { type Form, type FormAnswer } from '@gemini-kernel/kernel';
import type { LockedPlugin } from '@gemini-kernel/admission';
import { type ConsentSubject } from './describe-consent.js';
export interface ConsentMeans {
  readonly yes: boolean;
  readonly force: boolean;
  ask?(form: Form): Promise<FormAnswer>;
  tierOf?(plugin: string): Promise<ConsentSubject['tier']>;
  show(lines: readonly string[]): void;
}
export declare function askConsent(subject: ConsentSubject, means: ConsentMeans): Promise<LockedPlugin['approved']>;
export declare function hushing(means: ConsentMeans, hush: () => void): ConsentMeans;
