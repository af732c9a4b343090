import {brand, brandOf} from './brand.js';

/**
 * What a plugin's `src/errors.ts` exports: each code it throws, when, and the exit code a command ends with (1 unless
 * stated).
 */
export type ErrorTable = Readonly<Record<string, {readonly when: string; readonly exit?: number}>>;

export interface ErrorDetails {
  /** The next thing to do, as a sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  /** JSON that a program may want beside the sentence. */
  readonly data?: unknown;
  /** What a model reads instead of the sentence, such as text of others that is marked. */
  readonly model?: string | undefined;
}

abstract class CodedError extends Error {
  readonly hint: string | undefined;
  readonly data: unknown;
  readonly model: string | undefined;

  constructor(
    readonly code: string,
    sentence: string,
    {hint, cause, data, model}: ErrorDetails = {},
  ) {
    super(sentence, cause === undefined ? undefined : {cause});
    this.hint = hint;
    this.data = data;
    this.model = model;
  }
}

/** A failure the user should read and act on. */
export class KernelError extends CodedError {
  override readonly name = 'KernelError';

  constructor(code: string, sentence: string, details?: ErrorDetails) {
    super(code, sentence, details);
    brand(this, 'kernel-error');
  }
}

/** A failure of a tool that the model should read and try otherwise. */
export class ToolError extends CodedError {
  override readonly name = 'ToolError';

  constructor(code: string, sentence: string, details?: ErrorDetails) {
    super(code, sentence, details);
    brand(this, 'tool-error');
  }
}

/** True for a KernelError of any copy of this package. */
export function isKernelError(value: unknown): value is KernelError {
  return brandOf(value) === 'kernel-error';
}

/** True for a ToolError of any copy of this package. */
export function isToolError(value: unknown): value is ToolError {
  return brandOf(value) === 'tool-error';
}

/** The message of any value that was caught. */
export function messageOf(value: unknown): string {
  return value instanceof Error ? value.message : String(value);
}
