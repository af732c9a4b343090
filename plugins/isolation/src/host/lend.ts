import {KernelError, type ServiceContext, type SessionTools} from '@gemini-kernel/kernel';
import type {RemoteRequest} from '../contract.js';
import type {PluginWatch} from './plugin-watch.js';

interface Looking {
  service(name: never): Promise<unknown>;
}

/** The services that a context gives, as functions that travel. */
export function lendServices(
  {service}: Looking,
  {serviceOf, plugin}: RemoteRequest,
  watch: PluginWatch | undefined,
): Record<string, unknown> {
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
      watch?.note(`service:${String(name)}`, 'used');
      const own = (instance as Readonly<Record<string, (...all: unknown[]) => unknown>>)[String(method)];
      return own?.apply(instance, all as unknown[]);
    },
  };
}

/** What a service is created with, as far as it travels. */
export function lendContext(
  context: ServiceContext,
  request: RemoteRequest,
  watch: PluginWatch | undefined,
): Record<string, unknown> {
  const {environment, session, signal, tools} = context;
  const {cwd, home, temporary, cacheDir, platform, variables, flags, interactive} = environment;
  const {services, optional = {}} = request.plugin.manifest.requires;
  const families = [...Object.keys(services), ...Object.keys(optional)].map((name) => name.replace(/:\*$/, ''));
  return {
    ...lendServices(context, request, watch),
    environment: {cwd, home, temporary, cacheDir, platform, variables, flags, interactive},
    ...{session, signal},
    families: Object.fromEntries(families.map((name) => [name, context.names(name)])),
    tools: lendTools(tools, watch),
    sources: context.sources.bind(context),
    changed: () => context.changed(),
    tell: (notice: never) => context.tell(notice),
    ask: context.ask.bind(context),
    dispatch: context.dispatch.bind(context),
  };
}

/** The tools of gemini, each call as the plugin's. */
export function lendTools(tools: SessionTools, watch: PluginWatch | undefined): SessionTools {
  return {
    call(request, options) {
      watch?.note(`tool:${request.tool}`, 'used');
      return tools.call(request, options);
    },
    offered: () => tools.offered(),
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
