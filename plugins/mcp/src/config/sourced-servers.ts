import type {SourcedServer} from '../contract.js';
import type {Named} from './read-servers.js';

type Table = Readonly<Record<string, unknown>>;

/** The layer that servers of extensions are of. */
export const EXTENSION = 'extension';

/** A connection: what says it replaces what an extension says. */
const WAYS = ['command', 'args', 'url', 'httpUrl', 'tcp', 'type', 'cwd'] as const;

/**
 * The configured servers with those that plugins bring. The first that brings a name counts; what people say under the
 * same name is stronger, key by key, and filters only get narrower.
 */
export function withSourced(configured: readonly Named[], sourced: readonly SourcedServer[]): readonly Named[] {
  const brought = new Map<string, SourcedServer>();
  for (const one of sourced) if (!brought.has(one.name)) brought.set(one.name, one);
  const joined = configured.map((server) => {
    const base = brought.get(server.name);
    brought.delete(server.name);
    return base ? {...server, value: join(withoutTrust(base.value), server.value as Table)} : server;
  });
  return [
    ...joined,
    ...[...brought.values()].map(({name, from, value, source = `the extension "${from}"`}) => ({
      name,
      value: withoutTrust(value),
      origin: {layer: EXTENSION, source},
    })),
  ];
}

/** What a server may do is for the person to say, not for what brings it. */
function withoutTrust({trust, sampling, ...value}: Table): Table {
  void [trust, sampling];
  return value;
}

function join(base: Table, own: Table): Table {
  // Another command or address is another server: nothing of the first one goes to it.
  if (WAYS.some((key) => own[key] !== undefined)) return own;
  const env = {...(base['env'] as Table | undefined), ...(own['env'] as Table | undefined)};
  return {
    ...base,
    ...own,
    ...(Object.keys(env).length > 0 ? {env} : {}),
    ...narrow(textsOf(base['includeTools']), textsOf(own['includeTools'])),
    ...widen(textsOf(base['excludeTools']), textsOf(own['excludeTools'])),
  };
}

function narrow(base: readonly string[] | undefined, own: readonly string[] | undefined): Table {
  if (!base || !own) return base ? {includeTools: base} : {};
  return {includeTools: base.filter((one) => own.includes(one))};
}

function widen(base: readonly string[] | undefined, own: readonly string[] | undefined): Table {
  return base && own ? {excludeTools: [...new Set([...base, ...own])]} : {};
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
