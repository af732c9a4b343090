import type {OutcomeName} from './contract.js';

interface Outcome {
  /** What the process did. */
  readonly what: string;
  /** Whether it is a failure: always, or only where `failure: "closed"` is written or an administrator says so. */
  readonly isFailure: boolean | 'if-declared';
  /** What follows if it does not count as a failure, or fails open. */
  readonly otherwise: string;
}

/** Every way a run of a hook can end. `docs/hooks.md` has the same table. */
export const outcomes: Readonly<Record<OutcomeName, Outcome>> = {
  answered: {what: 'prints a JSON object, with any exit code', isFailure: false, otherwise: 'the answer counts'},
  text: {what: 'prints text and exits with 0', isFailure: false, otherwise: 'the text is shown'},
  silent: {what: 'prints nothing and exits with 0', isFailure: false, otherwise: 'nothing changes'},
  warned: {what: 'exits with 1', isFailure: 'if-declared', otherwise: 'the text is shown as a warning'},
  refused: {
    what: 'prints text and exits with 2 or more',
    isFailure: false,
    otherwise: 'denies; the text is the reason',
  },
  mute: {what: 'prints nothing and exits with 2 or more', isFailure: true, otherwise: 'a warning'},
  unstarted: {what: 'cannot start, or exits with 126 or 127', isFailure: true, otherwise: 'a warning'},
  late: {what: 'takes longer than its timeout', isFailure: true, otherwise: 'a warning'},
  killed: {what: 'is ended by a signal', isFailure: true, otherwise: 'a warning'},
  garbled: {what: 'prints broken JSON, wrong values or binary data', isFailure: true, otherwise: 'a warning'},
  excessive: {what: 'prints more than 1 MB', isFailure: true, otherwise: 'a warning'},
};
