import type {Ref} from './parts.js';

/** A request, or the answer to one. */
export interface Message {
  readonly id: number;
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly refs?: readonly Ref[];
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Throws an Error for what is no message. */
export function readMessage(message: unknown): Message {
  const {id, method, params, refs} = (message ?? {}) as Partial<Record<keyof Message, unknown>>;
  const isRight =
    Number.isSafeInteger(id) &&
    (method === undefined || typeof method === 'string') &&
    (params === undefined || Array.isArray(params)) &&
    (refs === undefined || (Array.isArray(refs) && refs.every(isRef)));
  if (!isRight) throw new Error('It sent a message of no known form.');
  return message as Message;
}

function isRef(value: unknown): value is Ref {
  const {path, kind, id} = (value ?? {}) as Partial<Record<keyof Ref, unknown>>;
  return (
    Array.isArray(path) &&
    path.every((key) => typeof key === 'string' || Number.isSafeInteger(key)) &&
    ['function', 'signal', 'stream'].includes(String(kind)) &&
    Number.isSafeInteger(id)
  );
}
