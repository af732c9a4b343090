import {writeFile} from 'node:fs/promises';
import {extname, resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {systemCode, systemReason} from './system-code.js';

/** The format that a file's name asks for. Throws KernelError EXPORT_FORMAT_UNKNOWN. */
export function formatOf(file: string): 'markdown' | 'json' {
  const format = ({'.md': 'markdown', '.json': 'json'} as const)[extname(file).toLowerCase()];
  if (format) return format;
  throw new KernelError('EXPORT_FORMAT_UNKNOWN', `Cannot export to ${file}: the file name has no known format.`, {
    hint: 'Use a name that ends in .md for reading, or in .json to start a new session from.',
  });
}

/**
 * Writes an export, and replaces an existing file only with `force`. Returns its path. Throws KernelError
 * EXPORT_EXISTS or EXPORT_UNWRITABLE.
 */
export async function writeExport(
  file: string,
  text: string,
  {cwd, force}: {readonly cwd: string; readonly force: boolean},
): Promise<string> {
  const path = resolve(cwd, file);
  try {
    await writeFile(path, text, {flag: force ? 'w' : 'wx', mode: 0o600});
    return path;
  } catch (cause) {
    const code = systemCode(cause);
    if (code === undefined) throw cause;
    if (code === 'EEXIST')
      throw new KernelError('EXPORT_EXISTS', `${path} already exists.`, {
        cause,
        hint: 'Choose another name, or use --force to replace it.',
      });
    throw new KernelError('EXPORT_UNWRITABLE', `Cannot write ${path}: ${systemReason(cause)}.`, {
      cause,
      hint: 'Choose a folder that is writable for you.',
    });
  }
}
