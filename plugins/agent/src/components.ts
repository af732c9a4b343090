/** One part of the instruction of the main agent: a heading and what follows it, or what comes before the first. */
export interface InstructionSection {
  /** Its heading in small letters with hyphens, such as `how-you-work`; `opening` before the first heading. */
  readonly name: string;
  /** With the heading as its first line, which begins with `# `. */
  readonly text: string;
}

/** How a conversation is compressed. What is asked for at a moment is there, and only that. */
export interface Compression {
  /** The share of a model's input limit at which it is compressed; 0 = never. */
  readonly threshold?: number;
  /** The instruction for the model that writes the summary. */
  readonly instruction?: string;
}
