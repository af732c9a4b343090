import type {LimitFlags} from './headless/read-limits.js';
import type {FilePrompt} from './prompt-file/read-prompt-file.js';

/** The flags of `chat`, as typed. */
export interface ChatFlags extends LimitFlags {
  readonly prompt?: string | undefined;
  readonly 'prompt-interactive'?: string | undefined;
  readonly 'output-format'?: string | undefined;
  readonly 'output-schema'?: string | undefined;
  readonly json: boolean;
  readonly 'fail-on-refused': boolean;
  readonly 'raw-output': boolean;
  readonly 'accept-raw-output-risk': boolean;
}

/** A line that runs `chat`, with the prompt file that it names. */
export interface ChatLine {
  readonly flags: ChatFlags;
  /** The words besides the flags. */
  readonly words: string;
  readonly file: FilePrompt | undefined;
}
