/** The part of the service `secrets` that takes keys and passwords out. */
export interface Scrubber {
  scrub(text: string): Promise<{readonly text: string}>;
}

/** What is longer is not looked through for secrets, so that nothing of it is included. */
const LONGEST = 262_144;
/** As many characters of one text are included. */
const SHOWN = 10_000;

/** The text of prompts, inputs and errors, as far as it may leave the program. */
export class Content {
  constructor(
    private readonly isWanted: boolean,
    private readonly scrubber: Scrubber | undefined,
  ) {}

  /** Whether there are texts at all: they are wanted, and something can take secrets out. */
  get isIncluded(): boolean {
    return this.isWanted && this.scrubber !== undefined;
  }

  /** The text without secrets; undefined when texts are not included, or nothing here can take secrets out. */
  async text(text: string): Promise<string | undefined> {
    if (!this.isWanted || !this.scrubber) return undefined;
    if (text.length > LONGEST) return `[${text.length} characters]`;
    // Secrets are taken out before the text is cut, so that no half of one is left.
    const clean = (await this.scrubber.scrub(text)).text;
    if (clean.length <= SHOWN) return clean;
    return `${clean.slice(0, SHOWN)}...[TRUNCATED: original length ${clean.length}]`;
  }

  async json(value: unknown): Promise<string | undefined> {
    // Whole files can be in it: it is written only for what includes it.
    return this.isIncluded ? this.text(JSON.stringify(value) ?? '') : undefined;
  }
}
