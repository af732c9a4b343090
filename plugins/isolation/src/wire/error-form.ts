import {isKernelError, isToolError, KernelError, ToolError} from '@gemini-kernel/kernel';

interface Missing {
  readonly name: string;
  readonly description?: string;
}

/** An error on its way: its kind, its code and its words. A stack stays where it was made. */
export interface ErrorForm {
  readonly kind: 'kernel' | 'tool' | 'other';
  readonly name?: string;
  readonly code?: string;
  readonly message: string;
  readonly hint?: string;
  readonly data?: unknown;
  readonly model?: string;
  /** Of an error of oclif: how the command ends, and the arguments that it lacks. */
  readonly usage?: {readonly exit: number; readonly code?: string; readonly missing?: readonly Missing[]};
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
    const form = (isObject(given) ? given : {}) as Partial<ErrorForm>;
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
  return {kind: 'other', name: error.name, message: clip(error.message), ...present({usage: usageOf(error)})};
}

function present(fields: Readonly<Record<string, unknown>>): Partial<ErrorForm> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function usageOf(error: Error): ErrorForm['usage'] {
  const {oclif, code, args} = error as {
    readonly oclif?: {readonly exit?: unknown};
    readonly code?: unknown;
    readonly args?: readonly Partial<Readonly<Record<keyof Missing, unknown>>>[];
  };
  if (typeof oclif !== 'object' || oclif === null) return undefined;
  const missing = args?.flatMap((one) => missingOf(one));
  return {
    exit: Number(oclif.exit ?? 1),
    ...(code === 'EEXIT' ? {code} : {}),
    ...(missing && missing.length > 0 ? {missing} : {}),
  };
}

function missingOf(one: unknown): readonly Missing[] {
  const {name, description} = (one ?? {}) as Partial<Readonly<Record<keyof Missing, unknown>>>;
  if (typeof name !== 'string') return [];
  return [{name: clip(name), ...(typeof description === 'string' ? {description: clip(description)} : {})}];
}

/** An error of oclif, as the program knows it. */
function makeUsage(error: Error, {exit, code, missing}: Partial<NonNullable<ErrorForm['usage']>>): Error {
  const isCode = Number.isInteger(exit) && Number(exit) >= 0 && Number(exit) <= 255;
  const names = Array.isArray(missing) ? missing.flatMap((one: unknown) => missingOf(one)) : [];
  return Object.assign(error, {
    oclif: {exit: isCode ? exit : 1},
    ...(code === 'EEXIT' ? {code} : {}),
    ...(names.length > 0 ? {args: names} : {}),
  });
}

function make({kind, name, code, message, hint, data, model, usage}: Partial<ErrorForm>): Error {
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
  if (typeof name === 'string' && /^\w{1,64}$/.test(name)) Object.assign(error, {name});
  return isObject(usage) ? makeUsage(error, usage) : error;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function clip(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
