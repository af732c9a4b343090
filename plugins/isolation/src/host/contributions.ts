import {join} from 'node:path';
import {
  defineTool,
  KernelError,
  listen,
  provide,
  type Listener,
  type Service,
  type ServiceContext,
} from '@gemini-kernel/kernel';
import type {ListenerEntry, ServiceEntry, ToolEntry} from '@gemini-kernel/kernel/host';
import type {RemoteRequest} from '../contract.js';
import {lendContext, lendServices, lendTools} from './lend.js';
import type {PluginProcess} from './plugin-process.js';
import {RemoteInstance} from './remote-instance.js';

type Tool = Parameters<typeof defineTool>[0];
type Context = Parameters<Tool['run']>[1];

/** Milliseconds between two reports of how far a call is. */
const PROGRESS_MS = 50;

/** A tool whose code runs in the process of its plugin. */
export function remoteTool(request: RemoteRequest, has: readonly string[], process: PluginProcess): Tool {
  const entry = request.entry as ToolEntry;
  const file = fileOf(request);
  const ask = (
    method: string,
    all: readonly unknown[],
    context: Omit<Context, 'permits' | 'tools' | 'progress'>,
    more = {},
  ) => {
    const {signal, call} = context;
    const sent = {signal, call, ...lendServices(context, request, process.watch), ...more};
    return process.request('tool', [file, method, all, sent], {signal}) as Promise<never>;
  };
  return defineTool({
    ...entry,
    ...(has.includes('touches')
      ? {touches: (input: unknown, context) => touchesOf(ask('touches', [input], context), process)}
      : {}),
    ...(has.includes('preview') ? {preview: (input: unknown, context) => ask('preview', [input], context)} : {}),
    ...(has.includes('revise')
      ? {
          revise: (input: unknown, edited: unknown) =>
            process.request('revise', [file, input, edited]) as Promise<never>,
        }
      : {}),
    run(input: unknown, context: Context) {
      const more = {
        permits: context.permits.bind(context),
        tools: lendTools(context.tools, process.watch),
        progress: atMost(PROGRESS_MS, (update) => context.progress(update as never)),
      };
      const act = (): Promise<never> => ask('run', [input], context, more);
      return process.watch ? process.watch.during(context.call.id, process, act) : act();
    },
  });
}

async function touchesOf(asked: Promise<never>, {watch}: PluginProcess): Promise<never> {
  const touches = await asked;
  watch?.touched(touches);
  return touches;
}

/** A listener whose code runs in the process of its plugin. */
export function remoteListener(request: RemoteRequest, process: PluginProcess): Listener {
  const {hook, ...spec} = request.entry as ListenerEntry;
  const file = fileOf(request);
  return listen(
    hook as never,
    {
      ...spec,
      run(payload: unknown, context: never) {
        const {signal, session, next} = context as {
          signal: AbortSignal;
          session: unknown;
          next?: () => Promise<unknown>;
        };
        const sent = {
          signal,
          session,
          ...lendServices(context, request, process.watch),
          ...(next ? {next: () => next()} : {}),
        };
        return process.request('listener', [file, payload, sent], {signal});
      },
    } as never,
  );
}

/** A service that lives in the process of its plugin; after a death it is created again when it is called. */
export function remoteService(request: RemoteRequest, has: readonly string[], process: PluginProcess): Service {
  const {name, methods = [], ...spec} = request.entry as ServiceEntry;
  const file = fileOf(request);
  if (methods.length === 0)
    throw new KernelError(
      'SERVICE_LOCAL',
      `The service ${name} of ${request.plugin.manifest.name} names no methods that travel.`,
      {
        hint: 'Its author lists them as `methods`.',
      },
    );
  const known = new WeakMap<object, RemoteInstance>();
  const create = async (context: ServiceContext): Promise<object> => {
    const instance = new RemoteInstance(process, (key, lease) =>
      process.request('create.keep', [key, file, lendContext(context, request, process.watch)], {lease}),
    );
    await instance.key();
    const made = Object.fromEntries(
      methods.map((method) => [
        method,
        (...all: readonly unknown[]) => streaming(instance.call('method', method, all)),
      ]),
    );
    known.set(made, instance);
    return made;
  };
  const dispose = (made: object) => known.get(made)?.dispose();
  const describe = (made: object) => known.get(made)?.call('describe') as Promise<string>;
  const own = {...spec, methods, create, dispose, ...(has.includes('describe') ? {describe} : {})};
  return provide(name as never, own as never);
}

/** The promise of an answer, which is also the stream where the answer is one. */
function streaming(answer: Promise<unknown>): unknown {
  return Object.assign(answer, {
    async *[Symbol.asyncIterator]() {
      yield* (await answer) as AsyncIterable<unknown>;
    },
  });
}

function atMost(ms: number, act: (value: unknown) => void): (value: unknown) => void {
  let last = -Infinity;
  return (value) => {
    const now = performance.now();
    if (now - last < ms) return;
    last = now;
    act(value);
  };
}

function fileOf({plugin, entry}: RemoteRequest): string {
  return join(plugin.root, entry.module);
}
