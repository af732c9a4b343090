import {KernelError} from '@gemini-kernel/kernel';

type Method = (...all: readonly unknown[]) => Promise<unknown>;

/** What a context of the host has become on its way. */
export interface SentContext {
  readonly [name: string]: unknown;
  /** Looks a service up, and gives the methods that travel. */
  readonly use: Method;
  readonly invoke: Method;
}

/** What a tool or a listener is run with. */
export function contextOf({use, invoke, ...rest}: SentContext): Record<string, unknown> {
  return {...rest, service: serviceBy({use, invoke})};
}

/** What a service is created with. */
export function serviceContextOf(sent: SentContext): Record<string, unknown> {
  const {families, environment, tell, changed, ...rest} = contextOf(sent) as Record<string, unknown> & {
    readonly families: Readonly<Record<string, readonly string[]>>;
  };
  return {
    ...rest,
    environment: {...(environment as object), newId: () => globalThis.crypto.randomUUID()},
    names: (family: string) => families[family] ?? [],
    tell: oneWay(tell),
    changed: oneWay(changed),
    settings: () => refuse('settings'),
    commands: () => refuse('commands'),
    open: () => refuse('open'),
  };
}

/** A call whose end no one waits for. */
export function oneWay(act: unknown): (...all: readonly unknown[]) => void {
  return (...all) => void (act as Method)(...all).catch(() => undefined);
}

/** Finds services of gemini. */
export function serviceBy({use, invoke}: Pick<SentContext, 'use' | 'invoke'>) {
  return async (name: string): Promise<object> => {
    const methods = (await use(name)) as readonly string[];
    const bound = methods.map((method) => [method, (...all: unknown[]) => promised(invoke(name, method, all))]);
    return Object.freeze(Object.assign(Object.create(null) as object, Object.fromEntries(bound)));
  };
}

/** The promise of an answer, which is also the stream where the answer is one. */
function promised(answer: Promise<unknown>): Promise<unknown> & AsyncIterable<unknown> {
  return Object.assign(answer, {
    async *[Symbol.asyncIterator]() {
      yield* (await answer) as AsyncIterable<unknown>;
    },
  });
}

function refuse(what: string): never {
  throw new KernelError('SERVICE_LOCAL', `\`${what}\` is not there for a plugin in a process of its own.`, {
    hint: 'Its author uses a service instead, or says that the plugin runs within the program.',
  });
}
