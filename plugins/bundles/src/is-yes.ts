/** Whether an answer at a terminal agrees; nobody there, or nothing said, does not. */
export function isYes(answer: string | undefined): boolean {
  return /^y(es)?$/i.test((answer ?? '').trim());
}
