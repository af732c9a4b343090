/** What a check found wrong, as a sentence. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

/** Throws Unfit with the sentence, unless the condition holds. */
export function demand(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new Unfit(sentence);
}
