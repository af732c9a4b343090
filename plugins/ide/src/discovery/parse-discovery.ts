import {makeVisible} from '@gemini-kernel/command/visible';
import type {IdeInfo} from '../protocol.js';

/** The content of a discovery file. */
export interface ParsedDiscovery {
  readonly port?: number;
  readonly stdio?: {readonly command: string; readonly args: readonly string[]};
  /** Undefined when the file names none. */
  readonly workspacePath?: string;
  readonly token?: string;
  readonly info?: IdeInfo;
  /** The machine or container of its process; other companions need not name it. */
  readonly machine?: string;
}

const LONGEST_NAME = 80;
/** No editor has a longer list of folders open. */
const LONGEST_PATHS = 64 * 1024;

/** Parses a discovery file. Throws an Error with a clause about the problem, without any part of the token. */
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
    // The parser's message contains part of the text, which may be the token.
    throw new Error(text.trim() === '' ? 'it is empty' : 'it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it does not contain an object');
  return value as Readonly<Record<string, unknown>>;
}

/** A port, as a number or as digits; undefined for anything else. */
export function asPort(given: unknown): number | undefined {
  const port = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : given;
  return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** A value that is valid in a header; undefined for any other. */
export function asToken(given: unknown): string | undefined {
  return typeof given === 'string' && /^[\x21-\x7e]{1,4096}$/.test(given) ? given : undefined;
}

function parsePort(given: unknown): number {
  const port = asPort(given);
  if (port !== undefined) return port;
  throw new Error(`its port is ${(JSON.stringify(given) ?? 'nothing').slice(0, 20)}, not a number from 1 to 65535`);
}

function parseToken(given: unknown): string | undefined {
  if (given === undefined || given === '') return undefined;
  const token = asToken(given);
  if (token !== undefined) return token;
  throw new Error('its token cannot be sent in a header');
}

function parseStdio(value: unknown): ParsedDiscovery['stdio'] {
  const {command, args = []} = (value ?? {}) as {readonly command?: unknown; readonly args?: unknown};
  if (typeof command !== 'string' || command === '') return undefined;
  return {command, args: Array.isArray(args) ? args.filter((one) => typeof one === 'string') : []};
}

function parseInfo(value: unknown): IdeInfo | undefined {
  const {name, displayName} = (value ?? {}) as {readonly name?: unknown; readonly displayName?: unknown};
  if (typeof name !== 'string' || typeof displayName !== 'string' || displayName.trim() === '') return undefined;
  // It is shown in terminals.
  const plain = (text: string): string => makeVisible(text.trim().slice(0, LONGEST_NAME));
  return {name: plain(name), displayName: plain(displayName)};
}
