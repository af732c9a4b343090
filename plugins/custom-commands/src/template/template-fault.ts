/** What is wrong with a template, and where. */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault';

  constructor(
    /** In the text that was read. */
    readonly offset: number,
    reason: string,
  ) {
    super(reason);
  }
}
