import {existsSync} from 'node:fs';
import {isAbsolute} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {splitWords} from '@gemini-kernel/terminal';

/** A file or folder of this machine in a container. */
export interface ContainerMount {
  readonly from: string;
  readonly to: string;
  readonly rights: 'ro' | 'rw';
}

/** What variables of the person say about the container. */
export interface ContainerOptions {
  readonly flags: readonly string[];
  readonly mounts: readonly ContainerMount[];
  /** As `NAME=value`. */
  readonly variables: readonly string[];
  readonly ports: readonly number[];
  /** The words of the proxy, which listens on port 8877. */
  readonly proxy?: readonly string[];
  /** Whether the person's own user is that of the container; by the system unless given. */
  readonly isOwnUser?: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads SANDBOX_* and GEMINI_SANDBOX_PROXY_COMMAND. Throws KernelError SANDBOX_OPTION_INVALID. */
export function readContainerOptions(variables: Variables): ContainerOptions {
  const proxy = variables['GEMINI_SANDBOX_PROXY_COMMAND'];
  const user = variables['SANDBOX_SET_UID_GID']?.trim().toLowerCase();
  return {
    flags: splitWords(variables['SANDBOX_FLAGS'] ?? ''),
    mounts: listOf(variables['SANDBOX_MOUNTS']).map(readMount),
    variables: listOf(variables['SANDBOX_ENV']).map(readVariable),
    ports: listOf(variables['SANDBOX_PORTS']).map(readPort),
    ...(proxy ? {proxy: readProxy(proxy)} : {}),
    ...(user ? {isOwnUser: readTruth(user)} : {}),
  };
}

/** Throws KernelError SANDBOX_OPTION_INVALID for what the engines do not take as the name of an image. */
export function checkImage(image: string, by: string): string {
  // A name that begins with a sign would be an option of the engine.
  if (/^[A-Za-z0-9][A-Za-z0-9_.:/@-]*$/.test(image)) return image;
  throw invalid(`${by} names the image "${image}", which is not a valid name.`, 'Write a name such as node:22.');
}

/** Throws KernelError SANDBOX_OPTION_INVALID for a path that the engines would read as several. */
export function checkPath(path: string, by: string): string {
  if (!path.includes(':')) return path;
  throw invalid(
    `${by} is ${path}: containers take no path with a colon.`,
    'Rename the folder, or use another sandbox.',
  );
}

function readMount(text: string): ContainerMount {
  const [from = '', to = '', rights = 'ro', ...rest] = text.split(':');
  if (!isAbsolute(from)) throw invalid(`SANDBOX_MOUNTS has "${text}": "${from}" is not absolute.`, MOUNT);
  if (!existsSync(from)) throw invalid(`SANDBOX_MOUNTS has "${text}": ${from} does not exist.`, MOUNT);
  if ((to !== '' && !isAbsolute(to)) || (rights !== 'ro' && rights !== 'rw') || rest.length > 0)
    throw invalid(`SANDBOX_MOUNTS has "${text}", which cannot be read.`, MOUNT);
  return {from, to: to || from, rights};
}

function readVariable(text: string): string {
  if (/^[^=\s]+=/.test(text)) return text;
  throw invalid(`SANDBOX_ENV has "${text}", which has no value.`, 'Write NAME=value, and commas between several.');
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw invalid(`SANDBOX_PORTS has "${text}", which is not a port.`, 'Write numbers, and commas between several.');
}

function readProxy(text: string): readonly string[] {
  const words = splitWords(text);
  if (words.length > 0) return words;
  throw invalid('GEMINI_SANDBOX_PROXY_COMMAND is empty.', 'Write a command that listens on port 8877, or unset it.');
}

function readTruth(text: string): boolean {
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  throw invalid(`SANDBOX_SET_UID_GID is "${text}".`, 'Use 1 or 0.');
}

function listOf(text = ''): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

const MOUNT = 'Write from, from:to or from:to:rw with absolute paths, and commas between several.';

function invalid(sentence: string, hint: string): KernelError {
  return new KernelError('SANDBOX_OPTION_INVALID', sentence, {hint});
}
