import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {admissionErrors} from '@gemini-kernel/admission/errors';
import {commandErrors} from '@gemini-kernel/command/errors';
import type {ErrorTable} from '@gemini-kernel/kernel';
import {sdkErrors} from '@gemini-kernel/sdk/errors';
import {kernelErrors, type Manifest} from '@gemini-kernel/kernel/host';
import {checkout, pluginRoot} from './plugin-root.js';

/** Names of the folders of all first-party plugins. */
export async function listPlugins(): Promise<readonly string[]> {
  const entries = await readdir(join(checkout, 'plugins'), {withFileTypes: true});
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({name}) => name)
    .sort();
}

/** The built manifest of a first-party plugin. */
export async function readBuiltManifest(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(pluginRoot(name), 'gemini.plugin.json'), 'utf8')) as Manifest;
}

/** The error table of the kernel, its packages, the program and each plugin, by folder name. */
export async function readErrorTables(): Promise<ReadonlyMap<string, ErrorTable>> {
  const plugins = await Promise.all(
    (await listPlugins()).map(async (name) => [name, (await readBuiltManifest(name)).errors] as const),
  );
  const {programErrors} = await import('#bin/dist/host-errors.js');
  return new Map([
    ['kernel', kernelErrors],
    ['admission', admissionErrors],
    ['command', commandErrors],
    ['sdk', sdkErrors],
    ['bin', programErrors],
    ...plugins,
  ]);
}
