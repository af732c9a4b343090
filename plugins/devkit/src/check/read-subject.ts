import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {readManifest} from '@gemini-kernel/admission';
import type {Catalog, Manifest} from '@gemini-kernel/kernel/host';
import {buildManifest, readSchema} from '../build-manifest.js';
import {readPackage} from '../plugin-package.js';
import type {Subject} from './subject.js';

/**
 * Reads a compiled plugin; without `mayImport` its code does not run. Throws KernelError BUILD_INVALID when it cannot
 * be built, or cannot be read without building.
 */
export async function readSubject(
  root: string,
  catalog: Pick<Catalog, 'plugins' | 'host'>,
  mayImport = true,
): Promise<Subject> {
  const plugins = [...catalog.plugins.values()];
  const manifest = mayImport ? await buildManifest(root) : await readWritten(root);
  const files = (await readdir(join(root, 'dist'), {recursive: true})).filter((file) => /\.m?js$/.test(file)).sort();
  const code = new Map(
    await Promise.all(
      files.map(async (file) => [join('dist', file), await readFile(join(root, 'dist', file), 'utf8')] as const),
    ),
  );
  return {
    root,
    manifest,
    code,
    pjson: await readPackage(root),
    others: plugins.filter((plugin) => plugin.manifest.name !== manifest.name),
    host: catalog.host,
    isOfProduct: plugins.some((plugin) => plugin.origin === 'core' && plugin.root === root),
  };
}

async function readWritten(root: string): Promise<Manifest> {
  try {
    return await readManifest(root, await readSchema());
  } catch (cause) {
    throw new KernelError(
      'BUILD_INVALID',
      `${root} has no readable manifest, and is not built because the folder is not trusted: ` + `${messageOf(cause)}`,
      {cause, hint: `If you trust its code, run gemini trust add ${root}, or pass --yes.`},
    );
  }
}
