import type {Verdict} from '@gemini-kernel/kernel';

/** What a gate comes to, as a service gets it. */
export type Judgement = Verdict & {readonly by: string | undefined};
