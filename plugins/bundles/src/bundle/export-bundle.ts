import {mkdir, rename, rm, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {filesOf} from './brought-folders.js';
import {signaturesText} from './bundle-signatures.js';
import {writeTar, type TarFile} from './bundle-tar.js';
import {digest} from './digest.js';
import {gzipStored} from './gzip-stored.js';
import {allArchives, takeArchive, type ArchiveSupply} from './locked-archives.js';
import {archiveName, PARTS, type OpenBundle} from './open-bundle.js';

/**
 * The bytes of an archive with everything that a bundle needs. The same lock and signatures give the same bytes, on
 * every machine. Throws KernelError BUNDLE_TAMPERED or BUNDLE_ARCHIVE_MISSING.
 */
export async function packBundle(bundle: OpenBundle, supply: ArchiveSupply): Promise<Buffer> {
  const files: TarFile[] = [{path: PARTS.lock, bytes: Buffer.from(bundle.text)}];
  if (bundle.signatures.length > 0)
    files.push({path: PARTS.signatures, bytes: Buffer.from(signaturesText(bundle.signatures))});
  for (const {path, digest: wanted} of filesOf(bundle.lock)) {
    const bytes = bundle.files.get(path);
    if (!bytes || digest(bytes) !== wanted)
      throw new KernelError(
        'BUNDLE_TAMPERED',
        `The file ${path} ${bytes ? 'differs from the one that was locked' : 'is missing'}.`,
        {hint: 'Lock and sign the bundle again.'},
      );
    files.push({path, bytes});
  }
  for (const archive of allArchives(bundle.lock))
    files.push({
      path: `${PARTS.archives}${archiveName(archive.integrity)}`,
      bytes: await takeArchive(archive, bundle, supply),
    });
  return gzipStored(writeTar(files));
}

/** Writes an exported bundle to a path, completely or not at all. Throws KernelError BUNDLE_UNWRITABLE. */
export async function writeExported(path: string, bytes: Buffer, writer: string): Promise<void> {
  try {
    await mkdir(dirname(path), {recursive: true});
    await writeFile(`${path}.${writer}`, bytes);
    await rename(`${path}.${writer}`, path);
  } catch (cause) {
    await rm(`${path}.${writer}`, {force: true});
    throw new KernelError('BUNDLE_UNWRITABLE', `Cannot write ${path}: ${messageOf(cause)}`, {
      cause,
      hint: 'Choose another --out.',
    });
  }
}
