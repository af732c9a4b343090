interface Told {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  /** Of one that tried several addresses of a host. */
  readonly errors?: readonly unknown[];
  /** Of a transaction that was discarded: why. */
  readonly previousErrors?: readonly unknown[];
}

/** An error without what drivers add to theirs: commands with their arguments, and so passwords and prompts. */
export function causeOf(error: unknown): Error {
  const {code} = error as Told;
  return Object.assign(new Error(sentenceOf(error)), typeof code === 'string' ? {code} : {});
}

/** Whether it is about the way to a server of Redis, and is no answer of it and no mistake of ours. */
export function isCut(error: unknown): boolean {
  return !['ReplyError', 'TypeError', 'RangeError', 'SyntaxError'].includes(String((error as Told).name));
}

function sentenceOf(error: unknown): string {
  const {message, errors = [], previousErrors = []} = error as Told;
  if (previousErrors.length > 0) return sentenceOf(previousErrors[0]);
  return message === '' || message === undefined ? errors.map(sentenceOf).join(' ') : String(message);
}
