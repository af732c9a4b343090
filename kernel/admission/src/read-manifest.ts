import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError, type JSONSchema} from '@gemini-kernel/kernel';
import {findViolations, messageOf, type Manifest} from '@gemini-kernel/kernel/host';

/** Gives the bytes or the text of a file, or throws. */
type ReadFile = (path: string) => Promise<Uint8Array | string>;

/**
 * Reads and checks the manifest of the plugin at `root`; `read` gives the bytes of a file. Throws KernelError
 * MANIFEST_UNREADABLE or MANIFEST_INVALID, naming the plugin's folder.
 */
export async function readManifest(root: string, schema: JSONSchema, read: ReadFile = readText): Promise<Manifest> {
  const path = join(root, 'gemini.plugin.json');
  let value: unknown;
  try {
    value = JSON.parse(String(await read(path)));
  } catch (cause) {
    throw new KernelError('MANIFEST_UNREADABLE', `Cannot read ${path}: ${messageOf(cause)}`, {
      cause,
      hint: 'Build the plugin, or reinstall it.',
    });
  }
  const faults = await findViolations(schema, value, 'manifest');
  if (faults.length > 0) {
    throw new KernelError(
      'MANIFEST_INVALID',
      `${path} is not a valid plugin manifest: ${faults.slice(0, 3).join(' ')}`,
      {hint: 'Build the plugin again with this version of the kernel.'},
    );
  }
  // The schema above has just said so.
  return value as Manifest;
}
