import {readAuth, type AuthConfig} from '../auth/auth-config.js';
import {readGoogle, type GoogleConfig} from '../auth/google/google-config.js';
import type {ServerOrigin} from '../contract.js';
import {readSampling, type SamplingLimits} from '../sampling/sampling-limits.js';
import {isTable} from './is-table.js';
import {readIntegrity, type Integrity} from './read-integrity.js';

/** How a server is reached. */
export type Way =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly integrity?: Integrity;
    }
  | {
      readonly kind: 'http' | 'sse' | 'http-or-sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly auth: AuthConfig;
      /** A token of Google instead. */
      readonly google?: GoogleConfig;
    };

/** A server as it is configured, checked. */
export interface ServerConfig {
  readonly name: string;
  readonly origin: ServerOrigin;
  readonly way: Way;
  readonly timeoutMs: number;
  readonly isTrusted: boolean;
  readonly description?: string;
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  /** How much it may ask the model; absent, nothing. */
  readonly sampling?: SamplingLimits;
}

type Table = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 600_000;

/** Reads one entry of `mcpServers`; a text says what is wrong with it. */
export function readServer(name: string, value: unknown, origin: ServerOrigin): ServerConfig | string {
  if (!isTable(value)) return 'it must be an object';
  const way = readWay(value, origin);
  if (typeof way === 'string') return way;
  const {timeout, trust, description} = value;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    return 'timeout must be a positive number';
  const filters = readFilters(value);
  if (typeof filters === 'string') return filters;
  const sampling = readSampling(value['sampling'], origin);
  if (typeof sampling === 'string') return sampling;
  return {
    name,
    origin,
    way,
    timeoutMs: typeof timeout === 'number' ? timeout : TIMEOUT_MS,
    isTrusted: trust === true,
    ...(typeof description === 'string' ? {description} : {}),
    ...filters,
    ...(sampling ? {sampling} : {}),
  };
}

function readFilters(value: Table): Pick<ServerConfig, 'includeTools' | 'excludeTools'> | string {
  const includeTools = readTexts(value, 'includeTools');
  const excludeTools = readTexts(value, 'excludeTools');
  if (typeof includeTools === 'string') return includeTools;
  if (typeof excludeTools === 'string') return excludeTools;
  return {...(includeTools ? {includeTools} : {}), ...(excludeTools ? {excludeTools} : {})};
}

function readWay(value: Table, origin: ServerOrigin): Way | string {
  const {command, httpUrl, url} = value;
  if (typeof httpUrl === 'string') return readRemote(value, {url: httpUrl, kind: 'http', origin});
  if (typeof url === 'string') return readRemote(value, {url, kind: kindOf(value['type']), origin});
  if (typeof command === 'string' && command.trim() !== '') return readProgram(value, command);
  if (value['tcp'] !== undefined) return 'tcp is not supported; use url with an http or https address';
  return 'it has neither command nor url';
}

function kindOf(type: unknown): 'http' | 'sse' | 'http-or-sse' {
  return type === 'http' || type === 'sse' ? type : 'http-or-sse';
}

function readProgram(value: Table, command: string): Way | string {
  const args = readTexts(value, 'args');
  const env = readPairs(value, 'env');
  const {cwd} = value;
  if (typeof args === 'string') return args;
  if (typeof env === 'string') return env;
  if (cwd !== undefined && typeof cwd !== 'string') return 'cwd must be text';
  const integrity = readIntegrity(value['integrity']);
  if (typeof integrity === 'string') return integrity;
  return {
    kind: 'stdio',
    command,
    args: args ?? [],
    env,
    ...(cwd === undefined ? {} : {cwd}),
    ...(integrity ? {integrity} : {}),
  };
}

interface Remote {
  readonly url: string;
  readonly kind: 'http' | 'sse' | 'http-or-sse';
  readonly origin: ServerOrigin;
}

function readRemote(value: Table, {url, kind, origin}: Remote): Way | string {
  const headers = readPairs(value, 'headers');
  if (typeof headers === 'string') return headers;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return `its address must start with http:// or https://, not ${JSON.stringify(url)}`;
  const auth = readAuth(value);
  if (typeof auth === 'string') return auth;
  const google = readGoogle(value, new URL(url), origin);
  if (typeof google === 'string') return google;
  return {kind, url, headers, auth: google ? {...auth, isOn: false} : auth, ...(google ? {google} : {})};
}

function readTexts(value: Table, key: string): readonly string[] | string | undefined {
  const list = value[key];
  if (list === undefined) return undefined;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : `${key} must be a list of texts`;
}

function readPairs(value: Table, key: string): Readonly<Record<string, string>> | string {
  const pairs = value[key] ?? {};
  if (!isTable(pairs) || Object.values(pairs).some((one) => typeof one !== 'string'))
    return `${key} must be an object with a text under each name`;
  return pairs as Readonly<Record<string, string>>;
}

/** The command line, or the address without what could be secret in it. */
export function showTarget({way}: Pick<ServerConfig, 'way'>): string {
  if (way.kind === 'stdio') return [way.command, ...way.args].join(' ');
  const url = new URL(way.url);
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
