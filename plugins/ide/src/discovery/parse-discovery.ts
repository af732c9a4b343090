import {makeVisible} from '@gemini-kernel/command/visible';
import type {IdeInfo} from '../protocol.js';

/** What a discovery file says. */
export interface ParsedDiscovery {
  readonly port?: number;
  readonly stdio?: {readonly command: string; readonly args: readonly string[]};
  /** Undefined when the file names none. */
  readonly workspacePath?: string;
  readonly token?: string;
  readonly info?: IdeInfo;
  /** Of which machine or container its process is; companions of others need not say. */
  readonly machine?: string;
}

const LONGEST_NAME = 80;
/** A longer list of folders is none that an editor has open. */
const LONGEST_PATHS = 64 * 1024;

/**
 * Reads the content of a discovery file. Throws Error with a clause that says what is wrong; nothing of the token is in
 * it.
 */
export function parseDiscovery(text: string): ParsedDiscovery {
  const {port: given, workspacePath, authToken, ideInfo, stdio, machine} = parseObject(text);
  const port = given === undefined ? undefined : parsePort(given);
  const program = parseStdio(stdio);
  if (port === undefined && program === undefined) throw new Error('it names neither a port nor a command');
  if (typeof workspacePath === 'string' && workspacePath.length > LONGEST_PATHS)
    throw new Error(`its workspacePath has ${workspacePath.length} characters, too many`);
  const [info, token] = [parseInfo(ideInfo), parseToken(authToken)];
  return {
    ...(port === undefined ? {} : {port}),
    ...(program ? {stdio: program} : {}),
    ...(info ? {info} : {}),
    ...(token === undefined ? {} : {token}),
    ...(typeof workspacePath === 'string' ? {workspacePath} : {}),
    ...(typeof machine === 'string' ? {machine} : {}),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own words show a part of the text, which may be the token.
    throw new Error(text.trim() === '' ? 'it is empty' : 'it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it holds no object');
  return value as Readonly<Record<string, unknown>>;
}

/** A port, given as a number or as its digits; undefined when it is none. */
export function asPort(given: unknown): number | undefined {
  const port = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : given;
  return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** What can stand in a header; undefined when it cannot. */
export function asToken(given: unknown): string | undefined {
  return typeof given === 'string' && /^[\x21-\x7e]{1,4096}$/.test(given) ? given : undefined;
}

function parsePort(given: unknown): number {
  const port = asPort(given);
  if (port !== undefined) return port;
  throw new Error(`its port is ${(JSON.stringify(given) ?? 'nothing').slice(0, 20)}, and ports go from 1 to 65535`);
}

function parseToken(given: unknown): string | undefined {
  if (given === undefined || given === '') return undefined;
  const token = asToken(given);
  if (token !== undefined) return token;
  throw new Error('its token is none that can be sent');
}

function parseStdio(value: unknown): ParsedDiscovery['stdio'] {
  const {command, args = []} = (value ?? {}) as {readonly command?: unknown; readonly args?: unknown};
  if (typeof command !== 'string' || command === '') return undefined;
  return {command, args: Array.isArray(args) ? args.filter((one) => typeof one === 'string') : []};
}

function parseInfo(value: unknown): IdeInfo | undefined {
  const {name, displayName} = (value ?? {}) as {readonly name?: unknown; readonly displayName?: unknown};
  if (typeof name !== 'string' || typeof displayName !== 'string' || displayName.trim() === '') return undefined;
  // It is shown at terminals.
  const plain = (text: string): string => makeVisible(text.trim().slice(0, LONGEST_NAME));
  return {name: plain(name), displayName: plain(displayName)};
}
