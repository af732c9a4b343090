import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Plugin} from '@oclif/core';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {buildManifest} from './build-manifest.js';

/** Writes `gemini.plugin.json` and oclif's own `oclif.manifest.json` of a compiled plugin, and gives the former. */
export async function writeManifests(root: string): Promise<Manifest> {
  const manifest = await buildManifest(root);
  const plugin = new Plugin({root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true});
  await plugin.load();
  await writeFile(join(root, 'gemini.plugin.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(root, 'oclif.manifest.json'), `${JSON.stringify(plugin.manifest, null, 2)}\n`);
  return manifest;
}
