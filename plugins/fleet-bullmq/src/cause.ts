import {messageOf} from '@gemini-kernel/kernel';

/** An error without what drivers add to theirs: commands with their arguments, and so passwords and prompts. */
export function causeOf(error: unknown): Error {
  const errors = error instanceof AggregateError && error.message === '' ? error.errors : [error];
  const {code} = error as {readonly code?: unknown};
  return Object.assign(new Error(errors.map(messageOf).join(' ')), typeof code === 'string' ? {code} : {});
}
