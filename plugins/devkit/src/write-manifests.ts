import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Plugin} from '@oclif/core';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {buildManifest} from './build-manifest.js';
import {bundlePackages} from './bundle-packages.js';
import type {BuildTools} from './contract.js';

/** Writes `gemini.plugin.json` and oclif's own `oclif.manifest.json` of a compiled plugin, and gives the former. */
export async function writeManifests(root: string): Promise<Manifest> {
  await runOwnBuild(root);
  const manifest = await buildManifest(root);
  const plugin = new Plugin({
    root,
    type: 'core',
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  });
  await plugin.load();
  await writeFile(join(root, 'gemini.plugin.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(root, 'oclif.manifest.json'), `${JSON.stringify(plugin.manifest, null, 2)}\n`);
  return manifest;
}

/** A plugin whose `src/build.ts` exports a function `build` prepares files of its own. */
async function runOwnBuild(root: string): Promise<void> {
  const dist = join(root, 'dist');
  const file = join(dist, 'build.js');
  if (!existsSync(file)) return;
  const {build} = (await import(pathToFileURL(file).href)) as {readonly build?: unknown};
  const tools: BuildTools = {bundle: (bundle) => bundlePackages(dist, bundle)};
  if (typeof build === 'function') await (build as (tools: BuildTools) => Promise<void>)(tools);
}
