import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {readManifest} from '@gemini-kernel/admission';
import {isKernelError, KernelError, messageOf} from '@gemini-kernel/kernel';
import {createCatalog, KERNEL_VERSION, satisfies, type CatalogPlugin, type Manifest} from '@gemini-kernel/kernel/host';
import type {Installer} from '../source/installer.js';
import {findJsonFault} from './find-json-fault.js';
import type {PluginPackage} from './plugin-package.js';

/** `gemini plugins build` writes both; a package without them is not a plugin. */
const MANIFESTS = ['gemini.plugin.json', 'oclif.manifest.json'];

/**
 * Reads the manifest of an unpacked package and checks that it could load beside the installed plugins, without
 * running its code. Throws KernelError PLUGIN_UNFIT.
 */
export async function inspectCandidate(installer: Installer, root: string, own: PluginPackage): Promise<Manifest> {
  const {name, version} = own;
  const missing = MANIFESTS.find((file) => !existsSync(join(root, file)));
  if (missing)
    throw unfit(own, `it has no ${missing}`, 'Its author has to run `gemini plugins build` before `npm pack`.');
  for (const file of [...MANIFESTS, 'package.json']) {
    const fault = await findJsonFault(join(root, file));
    if (fault) throw unfit(own, `its ${file} ${fault}`, 'Its author has to make it smaller.');
  }
  const manifest = await readManifest(root, installer.schemas.plugin).catch((cause: unknown) => {
    if (!isKernelError(cause)) throw cause;
    throw unfit(
      own,
      messageOf(cause).replace(/\.$/, '').replace(root, 'its folder'),
      'Its author has to build it again with `gemini plugins build`.',
      cause,
    );
  });
  if (manifest.name !== name || manifest.version !== version)
    throw unfit(
      own,
      `its manifest says it is ${manifest.name} ${manifest.version}`,
      'Its author has to build it again with `gemini plugins build`.',
    );
  if (!satisfies(KERNEL_VERSION, manifest.kernel))
    throw unfit(
      own,
      `it needs kernel ${manifest.kernel}, this is ${KERNEL_VERSION}`,
      'Look for another version of it.',
    );
  const reason = findClash(installer, root, manifest);
  if (reason) throw unfit(own, reason, 'First uninstall what it conflicts with, or install what it needs.');
  return manifest;
}

function findClash({present, host}: Installer, root: string, manifest: Manifest): string | undefined {
  const others = present.filter((plugin) => plugin.manifest.name !== manifest.name);
  const same = present.find((plugin) => plugin.manifest.name === manifest.name);
  if (same?.origin === 'core') return `the name ${manifest.name} is reserved for this distribution`;
  const candidate: CatalogPlugin = {
    root,
    origin: 'user',
    manifest,
    ...(manifest.replaces ? {replaces: manifest.replaces} : {}),
  };
  return createCatalog([...others, candidate], {host}).refused.find((one) => one.root === root)?.reason;
}

function unfit({name, version}: PluginPackage, reason: string, hint: string, cause?: unknown): KernelError {
  return new KernelError('PLUGIN_UNFIT', `${name} ${version} cannot be installed as a plugin: ${reason}.`, {
    hint,
    cause,
  });
}
