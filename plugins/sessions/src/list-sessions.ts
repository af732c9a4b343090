import {closeSync, readdirSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {openRegularSync} from '@gemini-kernel/files';
import {plainText} from './line-to-entry.js';
import {readSession} from './read-session.js';
import {objectOf, textOf, type Loose} from './records.js';
import {MOST_BYTES} from './session-bytes.js';
import {startOf} from './session-name.js';
import {passOver, systemCode, systemReason} from './system-code.js';

/** What the first and the last lines of a session file say. */
export interface Glance {
  readonly id: string;
  readonly title: string;
  readonly started: string;
  readonly updated: string;
  readonly file: string;
  /** False for a subagent's session, and for one without prompts. */
  readonly isListed: boolean;
}

const FIRST = 8 * 1024;
const MOST = 512 * 1024;
const LAST = 4 * 1024;

/**
 * Reads the start and end of every session file of a folder, not the bodies. Synchronous: a thousand small reads cost
 * less than a thousand asynchronous ones.
 */
export function glanceAtAll(folder: string): {
  readonly found: readonly Glance[];
  readonly broken: readonly {readonly file: string; readonly reason: string}[];
} {
  const found: Glance[] = [];
  const broken: {file: string; reason: string}[] = [];
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    try {
      const glance = glanceAt(file);
      if (glance) found.push(glance);
      else broken.push({file, reason: 'it does not start like a session'});
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      broken.push({file, reason: systemReason(error)});
    }
  }
  return {found, broken};
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith('session-') && /\.jsonl?$/.test(name))
      .sort();
  } catch (error) {
    return passOver(error, 'ENOENT', 'ENOTDIR') ?? [];
  }
}

/** Reads one file; undefined when it is not a session. Throws read errors. */
export function glanceAt(file: string): Glance | undefined {
  const {file: handle, found} = openRegularSync(file, MOST_BYTES);
  try {
    const {size, mtime} = found;
    const isLines = file.endsWith('.jsonl');
    for (let length = FIRST; ; length *= 8) {
      const isWhole = !isLines || length >= MOST || length >= size;
      const head = readAt(handle, 0, isWhole ? size : length);
      const content = readSession(isWhole ? head : head.subarray(0, head.lastIndexOf(10) + 1));
      if (!content && isWhole) return undefined;
      if (!content || !(isWhole || content.messages.some(isSaid))) continue;
      const later = isWhole ? {} : lastSet(readAt(handle, Math.max(0, size - LAST), LAST));
      const metadata = {...content.metadata, ...later};
      return glanceOf(file, {metadata, messages: content.messages, modified: mtime.toISOString()});
    }
  } finally {
    closeSync(handle);
  }
}

function readAt(handle: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(handle, buffer, 0, length, position));
}

/** The fields that the last lines of a session set. */
function lastSet(tail: Buffer): Loose {
  const [, ...lines] = tail.toString('utf8').split('\n');
  const sets = lines
    .filter((line) => line.startsWith('{"$set":'))
    .map((line) => readSession(Buffer.from(`{"sessionId":""}\n${line}\n`))?.metadata ?? {});
  const {sessionId: _, ...rest} = Object.assign({}, ...sets) as Loose;
  return rest;
}

function glanceOf(
  file: string,
  {
    metadata,
    messages,
    modified,
  }: {readonly metadata: Loose; readonly messages: readonly Loose[]; readonly modified: string},
): Glance {
  const named = startOf(file.slice(file.lastIndexOf('session-')));
  const started = timeOf(metadata['startTime']) ?? (named === undefined ? modified : new Date(named).toISOString());
  const first = messages.find((line) => line['type'] === 'user' && isSaid(line));
  const title = textOf(metadata['summary']) ?? (first ? plainText(first['displayContent'] ?? first['content']) : '');
  return {
    id: textOf(metadata['sessionId']) ?? '',
    title: title.replaceAll(/\s+/g, ' ').trim() || 'Empty conversation',
    started,
    updated: timeOf(metadata['lastUpdated']) ?? modified,
    file,
    isListed: metadata['kind'] !== 'subagent' && messages.some(isSaid),
  };
}

function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** Whether a line is a real prompt or answer. */
export function isSaid(line: Loose): boolean {
  const text = plainText(line['content']).trim();
  if (line['type'] === 'gemini')
    return text !== '' || [line['toolCalls'], line['thoughts']].some((list) => Array.isArray(list) && list.length > 0);
  // Slash commands and context of Gemini CLI are not prompts; our lines say who wrote what.
  const origin = objectOf(line['kernel'])?.['origin'];
  return (
    line['type'] === 'user' &&
    text !== '' &&
    !/^(?:[/?]|<(?:session|hook)_context>)/.test(text) &&
    (origin === undefined || origin === 'person')
  );
}
