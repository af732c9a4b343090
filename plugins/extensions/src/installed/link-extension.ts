import {mkdir, realpath, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {findForeignWriter} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import {readManifest} from '../manifest/read-manifest.js';
import {sharedFolder} from './find-extensions.js';

export interface Linking {
  readonly home: string;
  readonly folder: string;
  readonly taken: readonly {readonly name: string; readonly folder: string}[];
}

/** Has an extension used where it is, in the form that Gemini CLI uses too. */
export async function linkExtension({
  home,
  folder,
  taken,
}: Linking): Promise<{name: string; version: string; folder: string}> {
  const reading = readManifest(folder);
  if ('fault' in reading)
    throw new KernelError('EXTENSION_INVALID', `${folder} cannot be linked: ${reading.fault}.`, {
      hint: '`gemini extensions new <path>` makes an extension.',
    });
  const {name, version} = reading.manifest;
  const real = await realpath(folder);
  const other = taken.find((one) => one.name === name);
  if (other && other.folder !== real)
    throw new KernelError('EXTENSION_EXISTS', `There is an extension "${name}" already, in ${other.folder}.`, {
      hint: `Remove it first: \`gemini extensions uninstall ${name}\`.`,
    });
  const writer = findForeignWriter(real);
  if (writer)
    throw new KernelError('EXTENSION_INVALID', `${writer.path} is not safe: ${writer.reason}.`, {
      hint: `Run \`${writer.repair}\`.`,
    });
  const place = join(sharedFolder(home), name);
  await mkdir(place, {recursive: true, mode: 0o700});
  const record = JSON.stringify({source: real, type: 'link'}, null, 2);
  await writeFile(join(place, '.gemini-extension-install.json'), `${record}\n`, {mode: 0o600});
  return {name, version, folder: real};
}

/** Forgets a link; what it leads to stays. */
export async function removeLink(home: string, name: string): Promise<void> {
  await rm(join(sharedFolder(home), name), {recursive: true, force: true});
}
