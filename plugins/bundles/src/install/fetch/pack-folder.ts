import {mkdir, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {readRegular} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import {systemFault} from '../../system-faults.js';
import type {Installer} from '../source/installer.js';
import {ARCHIVE_READING} from './archive-reading.js';
import {runNpm} from './run-program.js';

/**
 * Packs a folder as its author would publish it, without running its scripts, and returns the archive. Throws
 * KernelError INSTALL_MISSING or PLUGIN_UNFIT.
 */
export async function packFolder(installer: Installer, folder: string, work: string): Promise<Buffer> {
  await stat(join(folder, 'package.json')).catch((error: unknown) => {
    throw systemFault(error, {code: 'INSTALL_MISSING', act: `Cannot read the package.json of ${folder}`});
  });
  const out = join(work, 'packed');
  await mkdir(out, {recursive: true, mode: 0o755});
  const {code, stderr} = await runNpm(installer, {
    args: ['pack', '--ignore-scripts', '--pack-destination', out, folder],
    directory: out,
  });
  const [name] = (await readdir(out)).filter((one) => one.endsWith('.tgz'));
  if (code === 0 && name !== undefined) return readRegular(join(out, name), ARCHIVE_READING);
  throw new KernelError(
    'PLUGIN_UNFIT',
    `npm cannot pack ${folder}: ${lastLine(stderr) ?? `it exited with ${String(code)}`}.`,
    {hint: 'Run `npm pack` there to see why.'},
  );
}

function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .find((line) => line !== '' && !line.startsWith('code '))
    ?.replace(/\.$/, '');
}
