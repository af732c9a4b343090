import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {makeFolder, type Folder} from '../../helpers/make-plugin.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';

/** The files of an extension; a manifest is made of `manifest`. */
export function extension(
  manifest: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {'gemini-extension.json': JSON.stringify({version: '1.0.0', ...manifest}), ...files};
}

/** Writes files below a folder that only this user can write. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), {recursive: true, mode: 0o700});
    await writeFile(join(folder, path), text, {mode: 0o600});
  }
  await chmod(folder, 0o700);
}

const PLUGINS = ['settings', 'trust', 'env', 'network', 'workspace', 'policy', 'shell', 'secrets', 'mcp', 'extensions'];

/** A kernel of a person who has these files in their home, or of a script. */
export function startWith(
  homeFiles: Readonly<Record<string, string>>,
  {
    more = [],
    isScript = false,
    ...options
  }: Partial<TestKernelOptions> & {readonly more?: readonly string[]; readonly isScript?: boolean} = {},
): Promise<TestKernel> {
  return createTestKernel({
    ...(isScript ? {} : {confirm: 'yes' as const}),
    ...options,
    plugins: [...PLUGINS, ...more].map(pluginRoot),
    homeFiles,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH'], ...options.variables},
  });
}

/** Where Gemini CLI has an extension, as the prefix of its files. */
export function shared(name: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`.gemini/extensions/${name}/${path}`, text]));
}

export {checkout, makeFolder, type Folder};
