import {resolve} from 'node:path';
import type {Variables} from '@gemini-kernel/plugin-env/contract';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {GoogleTarget} from './google.js';
import type {Layout} from './send/file/file-sink.js';

/** What the settings say about telemetry, as far as it counts. */
export interface Options {
  readonly isOn: boolean;
  readonly withPrompts: boolean;
  readonly withTraces: boolean;
  /** Undefined when records go to a file, or nowhere but to Prometheus. */
  readonly endpoint?: string;
  readonly protocol: 'grpc' | 'http';
  /** Set when the endpoint is that of Google Cloud. */
  readonly google?: GoogleTarget;
  readonly file?: string;
  readonly layout: Layout;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  readonly parent?: string;
  readonly faults: readonly string[];
}

interface Sources {
  readonly settings: Settings;
  readonly variables: Variables;
  readonly cwd: string;
  readonly home: string;
}

/**
 * Reads the settings. A project can only include less: what is recorded of a conversation, and where it goes, is not
 * for a repository to say.
 */
export async function readOptions({settings, variables, cwd, home}: Sources): Promise<Options> {
  const own = (key: string): Promise<unknown> => settings.getApart(`telemetry.${key}`);
  const isBoth = async (key: string, absent: boolean): Promise<boolean> =>
    ((await own(key)) ?? absent) === true && ((await settings.get(`telemetry.${key}`)) ?? absent) === true;
  const faults: string[] = [];
  const file = await own('outfile');
  const isFile = typeof file === 'string' && file !== '';
  const where = isFile ? {} : await readTarget({own, variables, faults});
  const port = await own('prometheusPort');
  return {
    isOn: await isBoth('enabled', false),
    withPrompts: await isBoth('logPrompts', true),
    withTraces: await isBoth('traces', false),
    protocol: (await own('otlpProtocol')) === 'http' ? 'http' : 'grpc',
    ...where,
    ...(isFile ? {file: resolve(cwd, file.replace(/^~(?=\/|$)/, home))} : {}),
    layout: (await own('outfileLayout')) === 'otlp-lines' ? 'otlp-lines' : 'gemini-cli',
    port: typeof port === 'number' ? port : 0,
    // They have the key of a collector, which is nothing for Google.
    headers: where.google ? {} : await readList('OTEL_EXPORTER_OTLP_HEADERS', variables, faults),
    resource: {
      ...(await readList('OTEL_RESOURCE_ATTRIBUTES', variables, faults)),
      ...(where.google ? {'gcp.project_id': where.google.project} : {}),
    },
    ...(await readParentOf(variables)),
    faults,
  };
}

type Target = Partial<Pick<Options, 'endpoint' | 'protocol' | 'google'>>;

async function readTarget({
  own,
  variables,
  faults,
}: {
  readonly own: (key: string) => Promise<unknown>;
  readonly variables: Variables;
  readonly faults: string[];
}): Promise<Target> {
  const [useCollector, useCliAuth] = [(await own('useCollector')) === true, (await own('useCliAuth')) === true];
  if ((await own('target')) === 'gcp' && !useCollector) {
    const {GOOGLE_ENDPOINT, readGoogle} = await import('./google.js');
    const google = await readGoogle({variables, useCliAuth, faults});
    return google ? {google, endpoint: GOOGLE_ENDPOINT, protocol: 'http'} : {};
  }
  if (useCollector && useCliAuth)
    faults.push('telemetry.useCliAuth does not count with telemetry.useCollector: a collector signs in itself.');
  const endpoint = readEndpoint(await own('otlpEndpoint'), faults);
  return endpoint === undefined ? {} : {endpoint};
}

function readEndpoint(value: unknown, faults: string[]): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && (url.username !== '' || url.password !== '')) {
    faults.push('telemetry.otlpEndpoint has a password in it: put it into OTEL_EXPORTER_OTLP_HEADERS.');
    return undefined;
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return value.replace(/\/+$/, '');
  faults.push(`telemetry.otlpEndpoint is "${value}", which is not an address that starts with http:// or https://.`);
  return undefined;
}

/** `key=value` pairs after commas, as OpenTelemetry has them in variables. Those of a project do not count. */
async function readList(
  name: string,
  variables: Variables,
  faults: string[],
): Promise<Readonly<Record<string, string>>> {
  const found = await variables.explain(name);
  if (!found || found.isProject) return {};
  const pairs = found.value.split(',').map((pair) => {
    const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return [key.toLowerCase(), decode(value)] as const;
  });
  if (pairs.some(([key]) => key === '')) faults.push(`${name} is not a list of key=value pairs.`);
  return Object.fromEntries(pairs.filter(([key]) => key !== ''));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readParentOf(variables: Variables): Promise<{readonly parent?: string}> {
  const found = await variables.explain('TRACEPARENT');
  return found && !found.isProject ? {parent: found.value} : {};
}
