import {dirname, join} from 'node:path';
import {readRegular} from '@gemini-kernel/files';
import {KernelError, messageOf, type JSONSchema} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import {ARCHIVE_READING} from '../install/fetch/archive-reading.js';
import {readFolders, type WrittenFolder} from './brought-folders.js';
import type {BundleLock} from './bundle-lock.js';
import type {Bundle} from './bundle.js';
import {publishedSchema} from '../published-schema.js';

/** A bundle as a platform team wrote it, with the policies and folders beside it. */
export interface WrittenBundle {
  readonly file: string;
  readonly bundle: Bundle;
  readonly policies: ReadonlyMap<string, Buffer>;
  readonly folders: readonly WrittenFolder[];
  /** The schema of every setting there is here; without it, those of plugins are unknown. */
  readonly known?: JSONSchema;
}

/** Reads a bundle, its policies and its folders. Throws KernelError BUNDLE_UNREADABLE or BUNDLE_INVALID. */
export async function readBundle(file: string): Promise<WrittenBundle> {
  // The schema guarantees it.
  const bundle = (await parse(await readBytes(file), 'bundle', file)) as Bundle;
  const policies = new Map<string, Buffer>();
  for (const path of bundle.policies ?? []) policies.set(path, await readBytes(join(dirname(file), path)));
  return {file, bundle, policies, folders: await readFolders(file, bundle, readBytes)};
}

/** Reads the text of a lock. Throws KernelError BUNDLE_INVALID. */
export async function parseBundleLock(text: string, place: string): Promise<BundleLock> {
  // The schema guarantees it.
  return (await parse(Buffer.from(text), 'bundle-lock', place)) as BundleLock;
}

/** Reads a file of a bundle. Throws KernelError BUNDLE_UNREADABLE. */
export async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readRegular(path, ARCHIVE_READING);
  } catch (cause) {
    throw new KernelError('BUNDLE_UNREADABLE', `Cannot read ${path}: ${messageOf(cause)}`, {
      cause,
      hint: 'Check the path, or create a bundle with `gemini bundle create`.',
    });
  }
}

async function parse(bytes: Buffer, schema: 'bundle' | 'bundle-lock', place: string): Promise<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (cause) {
    throw new KernelError('BUNDLE_INVALID', `${place} is not JSON: ${messageOf(cause)}`, {
      cause,
      hint: 'Fix the JSON at the position shown.',
    });
  }
  const faults = await findViolations(await publishedSchema(schema), value, schema === 'bundle' ? 'bundle' : 'lock');
  if (faults.length === 0) return value;
  const hint =
    schema === 'bundle'
      ? 'See manifests/schemas/bundle.schema.json for what a bundle may contain.'
      : 'Name a lock that `gemini bundle lock` wrote.';
  throw new KernelError('BUNDLE_INVALID', `${place} is not valid: ${faults.slice(0, 5).join(' ')}`, {
    hint,
    data: {faults},
  });
}
