import {isUtf8} from 'node:buffer';
import {existsSync} from 'node:fs';
import {findForeignWriter, isFileFault, readRegularSync} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {isObject, type JSONObject} from './key-path.js';

const ABSENT = new Set(['ENOENT', 'ENOTDIR']);
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'too many links lead to it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'something on the way to it is a file',
  EEXIST: 'something on the way to it is a file',
};

/** The lock of a file of ours. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

/** The code of a failed system call, or undefined. */
export function systemCodeOf(error: unknown): string | undefined {
  // Not by `instanceof`: errors of Node's own modules may come from another realm.
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** True when a system call failed because there is no such file. */
export function isAbsence(error: unknown): boolean {
  return ABSENT.has(systemCodeOf(error) ?? '');
}

/** Why a system call failed, in words. */
export function reasonOf(error: unknown): string {
  return isFileFault(error) ? error.reason : (REASONS[systemCodeOf(error) ?? ''] ?? messageOf(error));
}

type Read = (path: string) => Buffer | Promise<Buffer>;

/**
 * The text of a settings file, or undefined when there is none. Throws KernelError SETTINGS_UNREADABLE or, for other
 * text than UTF-8, SETTINGS_BROKEN. Every start waits for these small files, and a synchronous read is several times
 * faster.
 */
export async function readSettingsText(path: string, read: Read = readRegularSync): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await read(path);
  } catch (cause) {
    // A link that leads nowhere is not the same as no file: what it was to say is lost.
    if (isAbsence(cause) && !isFileFault(cause)) return undefined;
    throw new KernelError('SETTINGS_UNREADABLE', `Cannot read ${path}: ${reasonOf(cause)}.`, {
      cause,
      hint: 'Make the file readable for you, or remove it.',
    });
  }
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD') && !isUtf8(bytes)) {
    const {settingsBroken} = await import('./settings-broken.js');
    throw settingsBroken(path, text, {offset: text.indexOf('\uFFFD'), reason: 'the text is not UTF-8'});
  }
  return text;
}

/**
 * The object in the text of a settings file; comments are allowed. Throws KernelError SETTINGS_BROKEN with the place.
 */
export async function parseSettings(path: string, text: string): Promise<JSONObject> {
  const value = parseCommented(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (isObject(value)) return value;
  const {findBreak, settingsBroken} = await import('./settings-broken.js');
  throw settingsBroken(path, text, await findBreak(text));
}

/** The settings in a file, or undefined when there is none. */
export async function readSettings(path: string): Promise<JSONObject | undefined> {
  const text = await readSettingsText(path);
  return text === undefined ? undefined : parseSettings(path, text);
}

/**
 * The same for a file that is the person's alone: what it says loosens rules. Throws KernelError SETTINGS_UNSAFE when
 * someone else may have written it.
 */
export async function readOwnSettings(path: string, home: string): Promise<JSONObject | undefined> {
  if (existsSync(lockOf(path))) await (await import('./sweep-settings.js')).sweepSettings(path);
  const values = await readSettings(path);
  const writer = values && findForeignWriter(path, {home});
  if (writer) {
    const where = writer.path === path ? writer.reason : `${writer.path} is above it, and ${writer.reason}`;
    throw new KernelError('SETTINGS_UNSAFE', `${path} is not obeyed: ${where}.`, {
      hint: `Look at what it says, then run: ${writer.repair}`,
      data: {file: path, ...writer},
    });
  }
  return values;
}

// Strings are matched too, so that a `//` inside one is not taken for a comment.
const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[^]*?\*\//gs;

function parseCommented(text: string): unknown {
  const bare = text.includes('/')
    ? text.replace(STRING_OR_COMMENT, (part) => (part.startsWith('"') ? part : ' '))
    : text;
  try {
    return JSON.parse(bare);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
