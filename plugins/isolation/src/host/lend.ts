import {KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {RemoteRequest} from '../contract.js';

interface Looking {
  service(name: never): Promise<unknown>;
}

/** The services that a context gives, as functions that travel. */
export function lendServices({service}: Looking, {serviceOf, plugin}: RemoteRequest): Record<string, unknown> {
  const find = async (name: unknown): Promise<{readonly instance: object; readonly methods: readonly string[]}> => {
    const instance = (await service(name as never)) as object;
    return {instance, methods: travelling(serviceOf(String(name)), plugin.manifest.name)};
  };
  return {
    use: async (name: unknown) => (await find(name)).methods,
    invoke: async (name: unknown, method: unknown, all: unknown) => {
      const {instance, methods} = await find(name);
      if (!methods.includes(String(method)) || !Array.isArray(all))
        throw new TypeError(`The service ${String(name)} has no method ${String(method)}.`);
      const own = (instance as Readonly<Record<string, (...all: unknown[]) => unknown>>)[String(method)];
      return own?.apply(instance, all as unknown[]);
    },
  };
}

/** What a service is created with, as far as it travels. */
export function lendContext(context: ServiceContext, request: RemoteRequest): Record<string, unknown> {
  const {environment, session, signal, tools} = context;
  const {cwd, home, temporary, cacheDir, platform, variables, flags, interactive} = environment;
  const {services, optional = {}} = request.plugin.manifest.requires;
  const families = [...Object.keys(services), ...Object.keys(optional)].map((name) => name.replace(/:\*$/, ''));
  return {
    ...lendServices(context, request),
    environment: {cwd, home, temporary, cacheDir, platform, variables, flags, interactive},
    ...{session, signal},
    families: Object.fromEntries(families.map((name) => [name, context.names(name)])),
    tools: {call: tools.call.bind(tools), offered: tools.offered.bind(tools)},
    sources: context.sources.bind(context),
    changed: () => context.changed(),
    tell: (notice: never) => context.tell(notice),
    ask: context.ask.bind(context),
    dispatch: context.dispatch.bind(context),
  };
}

/** The methods of a service that pass between processes. Throws KernelError SERVICE_LOCAL. */
function travelling(entry: ReturnType<RemoteRequest['serviceOf']>, plugin: string): readonly string[] {
  const {name = '', local, methods = []} = entry ?? {};
  if (local !== true && methods.length > 0) {
    const stay = local ?? [];
    return methods.filter((method) => !stay.includes(method));
  }
  throw new KernelError(
    'SERVICE_LOCAL',
    `The service ${name} works within one process only, and ${plugin} runs in its own.`,
    {
      hint: 'Its author finds another way; gemini plugins check names every such service.',
    },
  );
}
