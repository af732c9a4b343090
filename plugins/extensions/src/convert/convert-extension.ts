import {mkdir, mkdtemp, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, join, relative, resolve, sep} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {checkExtension} from '../manifest/check-extension.js';
import {copyTree} from '../store/copy-tree.js';
import {findLeft, type LeftPart} from './find-left.js';
import {readParts} from './read-parts.js';
import {packageText, readmeText} from './package-files.js';
import {serviceFiles} from './service-files.js';

export interface Conversion {
  /** The folder of the extension. */
  readonly from: string;
  /** The folder of the plugin; beside the extension unless given. */
  readonly to: string | undefined;
  /** Whether an earlier conversion of the same extension is replaced. */
  readonly force: boolean;
}

export interface Converted {
  readonly extension: string;
  /** Of the plugin. */
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** What was written, without the files of the extension. */
  readonly files: readonly string[];
  /** What the plugin does not do as the extension does. */
  readonly left: readonly LeftPart[];
}

/**
 * Writes a plugin with the same effect as an extension, in one step: a folder is there whole or not at all. Throws
 * KernelError EXTENSION_INVALID, EXTENSION_EXISTS or EXTENSION_UNWRITABLE.
 */
export async function convertExtension({from, to, force}: Conversion): Promise<Converted> {
  const {faults, manifest} = await checkExtension(from);
  const [fault] = faults;
  if (fault !== undefined || !manifest)
    throw new KernelError('EXTENSION_INVALID', `The extension in ${from} cannot be converted: ${fault ?? ''}.`, {
      hint: '`gemini extensions check <folder>` says what is wrong.',
    });
  const parts = await readParts(from, manifest);
  const folder = resolve(to ?? join(dirname(from), parts.plugin));
  checkApart(from, folder);
  await checkPlace(folder, manifest.name, force);
  const texts = {
    'package.json': packageText(parts),
    'README.md': readmeText(parts),
    ...serviceFiles(parts),
  };
  await writeFolder({from, folder, texts});
  const left = await findLeft(from, manifest, parts);
  return {
    extension: manifest.name,
    name: parts.plugin,
    version: parts.version,
    folder,
    files: Object.keys(texts).sort(),
    left,
  };
}

/** A copy of a folder cannot be in it. */
function checkApart(from: string, folder: string): void {
  for (const [inner, outer] of [
    [folder, from],
    [from, folder],
  ] as const) {
    const path = relative(outer, inner);
    if (path !== '' && (path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path)) continue;
    throw new KernelError(
      'EXTENSION_INVALID',
      `The plugin cannot be written to ${folder}: it contains the extension.`,
      {
        hint: 'Name a folder beside the extension with --output.',
      },
    );
  }
}

/** Only an empty folder is filled, and only a conversion of the same extension is replaced. */
async function checkPlace(folder: string, name: string, force: boolean): Promise<void> {
  let entries: readonly string[];
  try {
    entries = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new KernelError('EXTENSION_EXISTS', `${folder} is there, and is not a folder.`, {cause: error});
  }
  if (entries.length === 0) return;
  const isOurs = (await convertedFrom(folder)) === name;
  if (isOurs && force) return;
  throw new KernelError('EXTENSION_EXISTS', `${folder} is not empty.`, {
    hint: isOurs
      ? 'Replace it with --force; what you changed in it is lost.'
      : 'Name another folder with --output. --force replaces only an earlier conversion of the same extension.',
  });
}

async function convertedFrom(folder: string): Promise<unknown> {
  try {
    const value = JSON.parse(await readText(join(folder, 'package.json'))) as {convertedFrom?: unknown} | null;
    return value?.convertedFrom;
  } catch {
    // No package, or a damaged one: not one of ours.
    return undefined;
  }
}

interface Writing {
  readonly from: string;
  readonly folder: string;
  readonly texts: Readonly<Record<string, string>>;
}

async function writeFolder({from, folder, texts}: Writing): Promise<void> {
  const parent = dirname(folder);
  try {
    await mkdir(parent, {recursive: true});
    const work = await mkdtemp(join(parent, `.${basename(folder)}-`));
    try {
      const plugin = join(work, 'plugin');
      await mkdir(plugin);
      await copyTree(from, join(plugin, 'extension'));
      for (const [path, text] of Object.entries(texts)) {
        await mkdir(dirname(join(plugin, path)), {recursive: true});
        await writeFile(join(plugin, path), text, {flag: 'wx'});
      }
      await moveInPlace(plugin, folder, join(work, 'before'));
    } finally {
      await rm(work, {recursive: true, force: true});
    }
  } catch (error) {
    if (error instanceof KernelError) throw error;
    throw new KernelError('EXTENSION_UNWRITABLE', `Cannot write ${folder}: ${messageOf(error)}.`, {cause: error});
  }
}

/** What was there is put back if the new folder cannot take its place. */
async function moveInPlace(plugin: string, folder: string, before: string): Promise<void> {
  const wasThere = await rename(folder, before).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    await rename(plugin, folder);
  } catch (error) {
    if (wasThere) await rename(before, folder);
    throw error;
  }
}
