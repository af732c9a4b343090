import type {Dirent} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import {join, sep} from 'node:path';
import {defineTool, subjectOf} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {diskError, errnoOf} from '../disk-error.js';
import {openFolder, type Folder} from '../folder.js';
import {ignoreOptions, ignoreOptionsSchema} from '../ignore-options.js';
import {touchOf} from '../path-touch.js';

interface Entry {
  readonly name: string;
  readonly kind: 'directory' | 'file' | 'unreadable';
  readonly bytes?: number;
  readonly reason?: string;
}

export default defineTool({
  name: 'list_directory',
  description:
    'Lists the names directly in one directory, directories first, with the size of each file. Files ' +
    'that the ignore rules exclude are counted, not listed.',
  effect: 'read',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['dir_path'],
    properties: {
      dir_path: {
        type: 'string',
        minLength: 1,
        description: 'Path of the directory, absolute or relative to the working directory.',
      },
      ignore: {type: 'array', items: {type: 'string'}, description: 'Glob patterns of names to leave out.'},
      file_filtering_options: ignoreOptionsSchema,
    },
  },
  async touches({dir_path}, {service}) {
    return touchOf(dir_path, 'read', await service('workspace'));
  },
  async run({ignore = [], file_filtering_options}, {call, service, signal}) {
    const path = subjectOf(call);
    const workspace = await service('workspace');
    const folder = await openFolder(path, {workspace, access: 'read'});
    try {
      const all = await readdir(folder.at('.'), {withFileTypes: true});
      signal.throwIfAborted();
      const named = await leaveOut(all, ignore);
      const paths = named.map((entry) => join(path, entry.name) + (entry.isDirectory() ? sep : ''));
      const ignored = await workspace.ignored(paths, ignoreOptions(file_filtering_options));
      const shown = named.filter((_, index) => !ignored[index]);
      const entries = (await Promise.all(shown.map((entry) => describe(folder, entry)))).sort(directoriesFirst);
      return resultOf(path, entries, all.length - shown.length);
    } catch (cause) {
      throw diskError(cause, path, 'list');
    } finally {
      await folder.close();
    }
  },
});

async function leaveOut(entries: readonly Dirent[], patterns: readonly string[]): Promise<readonly Dirent[]> {
  if (patterns.length === 0) return entries;
  const {default: picomatch} = await import('picomatch');
  const matches = picomatch([...patterns], {dot: true, nonegate: true});
  return entries.filter(({name}) => !matches(name));
}

/**
 * Follows a link to describe its target; one that leads nowhere, or whose size cannot be read, is listed with the
 * reason.
 */
async function describe(folder: Folder, {name}: Dirent): Promise<Entry> {
  try {
    const found = await stat(folder.at(name));
    return found.isDirectory() ? {name, kind: 'directory'} : {name, kind: 'file', bytes: found.size};
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    const reason =
      errno === 'ENOENT' || errno === 'ELOOP'
        ? 'a link that leads nowhere'
        : errno === 'EACCES'
          ? 'permission denied'
          : errno;
    return {name, kind: 'unreadable', reason};
  }
}

function directoriesFirst(a: Entry, b: Entry): number {
  const rank = ({kind}: Entry): number => (kind === 'directory' ? 0 : 1);
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return rank(a) - rank(b) || compareText(left, right) || compareText(a.name, b.name);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function resultOf(
  path: string,
  entries: readonly Entry[],
  ignored: number,
): {model: string; display: string; data: unknown} {
  const footer = ignored === 0 ? '' : `\n\n(${ignored} ignored)`;
  const lines = entries.map(({name, kind, bytes, reason}) =>
    kind === 'directory'
      ? `[DIR] ${name}`
      : kind === 'file'
        ? `${name} (${bytes} bytes)`
        : `${name} (unreadable: ${reason})`,
  );
  const model =
    entries.length === 0 && ignored === 0
      ? `Directory ${path} is empty.`
      : `Directory listing for ${path}:\n${lines.join('\n')}${footer}`;
  return {
    model,
    display: `${entries.length} names${ignored === 0 ? '' : `, ${ignored} ignored`}`,
    data: {path, entries, ignored},
  };
}
