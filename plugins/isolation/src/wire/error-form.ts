import {isKernelError, isToolError, KernelError, ToolError} from '@gemini-kernel/kernel';

/** An error on its way: its kind, its code and its words. A stack stays where it was made. */
export interface ErrorForm {
  readonly kind: 'kernel' | 'tool' | 'other';
  readonly name?: string;
  readonly code?: string;
  readonly message: string;
  readonly hint?: string;
  readonly data?: unknown;
  readonly model?: string;
  /** Of an error that came from the other side: what that one calls it. */
  readonly returned?: number;
  readonly id?: number;
}

const LONGEST = 65_536;
const KEPT = 256;

/** The errors of one connection: one that comes back is the same as the one that was sent. */
export class SentErrors {
  readonly #sent = new Map<number, unknown>();
  readonly #received = new WeakMap<object, number>();
  #next = 0;

  write(error: unknown): ErrorForm {
    const returned = typeof error === 'object' && error !== null ? this.#received.get(error) : undefined;
    const id = (this.#next += 1);
    this.#sent.set(id, error);
    this.#sent.delete(id - KEPT);
    return {...describe(error), id, ...(returned === undefined ? {} : {returned})};
  }

  read(given: unknown): unknown {
    const form = (typeof given === 'object' && given !== null ? given : {}) as Partial<ErrorForm>;
    if (form.returned !== undefined && this.#sent.has(form.returned)) return this.#sent.get(form.returned);
    const error = make(form);
    if (typeof form.id === 'number') this.#received.set(error, form.id);
    return error;
  }
}

function describe(error: unknown): ErrorForm {
  if (isKernelError(error) || isToolError(error)) {
    const {code, message, hint, data, model} = error;
    return {
      kind: isToolError(error) ? 'tool' : 'kernel',
      code,
      message: clip(message),
      ...present({hint, data, model}),
    };
  }
  if (!(error instanceof Error)) return {kind: 'other', message: clip(String(error))};
  return {kind: 'other', name: error.name, message: clip(error.message)};
}

function present(fields: Readonly<Record<string, unknown>>): Partial<ErrorForm> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function make({kind, name, code, message, hint, data, model}: Partial<ErrorForm>): Error {
  const text = clip(typeof message === 'string' ? message : 'It failed without a word.');
  if ((kind === 'tool' || kind === 'kernel') && typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,63}$/.test(code)) {
    const Kind = kind === 'tool' ? ToolError : KernelError;
    return new Kind(code, text, {
      data,
      ...(typeof hint === 'string' ? {hint: clip(hint)} : {}),
      ...(typeof model === 'string' ? {model: clip(model)} : {}),
    });
  }
  const error = new Error(text);
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? Object.assign(error, {name}) : error;
}

function clip(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
