import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder, readRegular} from '@gemini-kernel/files';
import {writeAtomically, writeHint} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {entryToLine} from './entry-to-line.js';
import {MOST_BYTES} from './session-bytes.js';
import {passOver, systemCode, systemReason} from './system-code.js';

/** The file of a conversation that is saved under a name, named as Gemini CLI names it. */
export function tagFile({temporary}: ProjectFolder, tag: string): string {
  return join(temporary, `checkpoint-${encodeURIComponent(tag)}.json`);
}

/** Saves a conversation as messages of the API. Throws KernelError TAG_TAKEN or SESSION_UNWRITABLE. */
export async function saveTag(
  folder: ProjectFolder,
  {tag, entries, force}: {readonly tag: string; readonly entries: readonly Entry[]; readonly force: boolean},
): Promise<string> {
  const file = tagFile(folder, tag);
  const history = entries
    .filter(({kind}) => kind !== 'note')
    .map((entry) => ({role: entry.message.role, parts: entryToLine(entry).content}));
  try {
    if (!force && (await stat(file).catch((error: unknown) => passOver(error, 'ENOENT')))) {
      throw new KernelError('TAG_TAKEN', `A conversation named ${tag} already exists.`, {
        hint: 'Choose another name, or use --force to replace it.',
      });
    }
    await makePrivateFolder(folder.temporary);
    await writeAtomically(file, JSON.stringify({history}, null, 2), {durable: false});
    return file;
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    throw new KernelError('SESSION_UNWRITABLE', `Cannot save the conversation to ${file}: ${systemReason(cause)}.`, {
      cause,
      hint: writeHint(cause, `Make ${folder.temporary} writable for you.`),
    });
  }
}

/** The saved conversations, newest first. */
export async function listTags({
  temporary,
}: ProjectFolder): Promise<readonly {readonly tag: string; readonly saved: string}[]> {
  const names = await readdir(temporary).catch((error: unknown) => passOver(error, 'ENOENT') ?? []);
  const tags = await Promise.all(
    names.map(async (name) => {
      const [, encoded] = /^checkpoint-(.+)\.json$/.exec(name) ?? [];
      return encoded === undefined
        ? []
        : [{tag: decode(encoded), saved: (await stat(join(temporary, name))).mtime.toISOString()}];
    }),
  );
  return tags.flat().sort((a, b) => (a.saved < b.saved ? 1 : -1));
}

/** The file of a saved conversation, and its content. Throws KernelError TAG_UNKNOWN. */
export async function readTag(
  folder: ProjectFolder | undefined,
  tag: string,
): Promise<{readonly file: string; readonly bytes: Buffer}> {
  const file = folder && tagFile(folder, tag);
  const bytes = file && (await readBytes(file));
  if (file && bytes) return {file, bytes};
  throw new KernelError('TAG_UNKNOWN', `There is no saved conversation named ${tag}.`, {
    hint: 'Run `gemini sessions tag list` to see the saved ones.',
  });
}

async function readBytes(file: string): Promise<Buffer | undefined> {
  try {
    return await readRegular(file, {limit: MOST_BYTES});
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    if (systemCode(cause) === 'ENOENT') return undefined;
    throw new KernelError('SESSION_FILE_UNREADABLE', `Cannot read ${file}: ${systemReason(cause)}.`, {
      cause,
      hint: 'Remove it, or restore the saved conversation.',
    });
  }
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    // A name that was written by hand, with a literal percent sign.
    if (!(error instanceof URIError)) throw error;
    return name;
  }
}
