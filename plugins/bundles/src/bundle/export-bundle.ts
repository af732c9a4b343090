import {mkdir, rename, rm, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {signaturesText} from './bundle-signatures.js';
import {writeTar, type TarFile} from './bundle-tar.js';
import {digest} from './digest.js';
import {gzipStored} from './gzip-stored.js';
import {allArchives, takeArchive, type ArchiveSupply} from './locked-archives.js';
import {archiveName, PARTS, type OpenBundle} from './open-bundle.js';

/**
 * The bytes of an archive with everything that a bundle needs: the same for the same lock and signatures, wherever and
 * whenever it is made. Throws KernelError BUNDLE_TAMPERED or BUNDLE_ARCHIVE_MISSING.
 */
export async function packBundle(bundle: OpenBundle, supply: ArchiveSupply): Promise<Buffer> {
  const files: TarFile[] = [{path: PARTS.lock, bytes: Buffer.from(bundle.text)}];
  if (bundle.signatures.length > 0)
    files.push({path: PARTS.signatures, bytes: Buffer.from(signaturesText(bundle.signatures))});
  for (const {path, digest: wanted} of bundle.lock.policies) {
    const bytes = bundle.policies.get(path);
    if (!bytes || digest(bytes) !== wanted)
      throw new KernelError(
        'BUNDLE_TAMPERED',
        `The policy ${path} is ${bytes ? 'not the one that was locked' : 'missing'}.`,
        {hint: 'Lock the bundle again, and sign it again.'},
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

/** Puts an exported bundle where it was asked for, whole or not at all. Throws KernelError BUNDLE_UNWRITABLE. */
export async function writeExported(path: string, bytes: Buffer, writer: string): Promise<void> {
  try {
    await mkdir(dirname(path), {recursive: true});
    await writeFile(`${path}.${writer}`, bytes);
    await rename(`${path}.${writer}`, path);
  } catch (cause) {
    await rm(`${path}.${writer}`, {force: true});
    throw new KernelError('BUNDLE_UNWRITABLE', `Cannot write ${path}: ${messageOf(cause)}`, {
      cause,
      hint: 'Give another --out.',
    });
  }
}
