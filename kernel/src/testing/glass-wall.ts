import type {Border} from '../contract/border.js';
import {isKernelError, isToolError, KernelError, ToolError} from '../contract/error.js';
import type {Owned, ServiceEntry} from '../contract/manifest.js';
import {toJson} from '../hooks/to-json.js';

/**
 * A border behind which nothing passes that could not pass between processes: every value is serialised and read back.
 * Methods of services take JSON, signals and callbacks, and give JSON or a stream of it; what a service declares as
 * `local` stays as it is.
 */
export const glassWall: Border = {
  value: (value) => copyOf(value, 'a value'),
  service(service, entry) {
    if (entry.local === true) return service;
    checkMethods(Object(service) as object, entry);
    const seen = new Proxy(Object(service) as object, {
      get: (target, name) => (typeof name === 'symbol' ? undefined : methodOf(target, name, entry)),
    });
    walled.add(seen);
    return seen;
  },
};

/** Services behind the wall: each side has a stand-in of its own for them. */
const walled = new WeakSet<object>();

/** Throws TypeError when the service lacks a method that its manifest names: a stand-in would have it. */
function checkMethods(service: object, {name, plugin, methods = []}: Owned<ServiceEntry>): void {
  const lacking = methods.find((one) => typeof (service as Record<string, unknown>)[one] !== 'function');
  if (lacking !== undefined)
    throw new TypeError(`${name} has no method ${lacking}, which the manifest of ${plugin} names.`);
}

/** A method that carries what goes in and what comes out. A promise never has the method `then`. */
function methodOf(service: object, name: string, entry: Owned<ServiceEntry>): unknown {
  const own: unknown = (service as Record<string, unknown>)[name];
  const what = `${entry.name}.${name}`;
  if (Array.isArray(entry.local) && entry.local.includes(name))
    return typeof own === 'function' ? (own.bind(service) as unknown) : own;
  if (own === undefined) return undefined;
  if (typeof own !== 'function') throw new TypeError(`${what} is no method. Services have methods only.`);
  if (entry.methods && !entry.methods.includes(name))
    throw new TypeError(`${what} is not among the methods that the manifest of ${entry.plugin} names.`);
  return (...given: readonly unknown[]): unknown => {
    const all = given.map((one, index) => carryIn(one, `argument ${index + 1} of ${what}`));
    const act = (): unknown => (own as (...all: readonly unknown[]) => unknown).apply(service, all);
    return carryOut(act, {what, signals: given.flatMap(signalsOf)});
  };
}

/** What goes in: JSON, with signals and callbacks in it that end with the call. */
function carryIn(value: unknown, what: string): unknown {
  if (isCarried(value)) return carryPart(value, what);
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isPlain || !Object.values(value).some(holdsCarried)) return copyOf(value, what);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, carryIn(part, `${what}.${name}`)]));
}

function holdsCarried(value: unknown): boolean {
  if (isCarried(value)) return true;
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(holdsCarried)
  );
}

function isCarried(value: unknown): boolean {
  return typeof value === 'function' || value instanceof AbortSignal;
}

function carryPart(value: unknown, what: string): unknown {
  if (typeof value !== 'function') return value;
  return (...given: readonly unknown[]): unknown =>
    carryOut(() => (value as (...all: readonly unknown[]) => unknown)(...given.map((one) => copyOf(one, what))), {
      what,
      signals: [],
      isCallback: true,
    });
}

/** The signals of an argument; the reason of one that was aborted comes back as it is. */
function signalsOf(value: unknown): readonly AbortSignal[] {
  if (value instanceof AbortSignal) return [value];
  return Object.values(Object(value) as object).filter((part) => part instanceof AbortSignal);
}

interface Way {
  readonly what: string;
  readonly signals: readonly AbortSignal[];
  /** A callback may also answer at once. */
  readonly isCallback?: boolean;
}

/** What comes out: a promise of JSON, or a stream of it. */
function carryOut(act: () => unknown, way: Way): unknown {
  const given = attempt(act, way);
  if (isStream(given)) return copyStream(given, way);
  if (isThenable(given))
    return Promise.resolve(given).then(
      (value) => (isStream(value) ? copyStream(value, way) : copyOf(value, way.what)),
      (error: unknown) => Promise.reject(copyError(error, way)),
    );
  if (way.isCallback) return copyOf(given, way.what);
  throw new TypeError(`${way.what} answers at once. Methods of services are async.`);
}

function attempt(act: () => unknown, way: Way): unknown {
  try {
    return act();
  } catch (error) {
    throw copyError(error, way);
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as {then?: unknown} | null | undefined)?.then === 'function';
}

async function* copyStream(stream: AsyncIterable<unknown>, way: Way): AsyncGenerator<unknown> {
  try {
    for await (const piece of stream) yield copyOf(piece, way.what);
  } catch (error) {
    throw copyError(error, way);
  }
}

function copyOf<T>(value: T, what: string): T {
  if (value === undefined || walled.has(Object(value) as object)) return value;
  return toJson(JSON.parse(JSON.stringify(toJson(value, what))) as T, what);
}

/** What is left of an error on the other side: its kind, its code and its words. */
function copyError(error: unknown, {signals}: Way): unknown {
  if (signals.some(({aborted, reason}) => aborted && reason === error)) return error;
  if (isKernelError(error) || isToolError(error)) {
    const {code, message, hint, data} = error;
    const Kind = isKernelError(error) ? KernelError : ToolError;
    return new Kind(code, message, {hint, data: copyOf(data, `the data of ${code}`)});
  }
  const {name, message, stack} = error instanceof Error ? error : new Error(String(error));
  const copy = new Error(message);
  return Object.assign(copy, {name, stack});
}
