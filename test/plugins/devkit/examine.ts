import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createCatalog, type CatalogPlugin, type Manifest} from '@gemini-kernel/kernel/host';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {checkAdmission, checkErrors} from '#plugins/devkit/dist/check/check-admission.js';
import {checkCapabilities} from '#plugins/devkit/dist/check/check-capabilities.js';
import {checkCompatibility} from '#plugins/devkit/dist/check/check-compatibility.js';
import {checkDocs} from '#plugins/devkit/dist/check/check-docs.js';
import {checkFiles} from '#plugins/devkit/dist/check/check-files.js';
import {checkNames} from '#plugins/devkit/dist/check/check-names.js';
import {checkServices} from '#plugins/devkit/dist/check/check-services.js';
import {checkSettings} from '#plugins/devkit/dist/check/check-settings.js';
import {checkTravel} from '#plugins/devkit/dist/check/check-travel.js';
import {readSubject} from '#plugins/devkit/dist/check/read-subject.js';
import type {Finding, Subject} from '#plugins/devkit/dist/check/subject.js';

export type {Finding};

type Answer = readonly Finding[] | {readonly findings: readonly Finding[]};

/** In the order of `gemini plugins check`. */
const CHECKS: readonly ((subject: Subject) => Answer | Promise<Answer>)[] = [
  checkFiles,
  checkAdmission,
  checkErrors,
  checkServices,
  checkSettings,
  checkNames,
  checkTravel,
  checkDocs,
  checkCapabilities,
  checkCompatibility,
];

/** Names of the plugins of the product. */
export async function listProduct(): Promise<readonly string[]> {
  return (await readdir(join(checkout, 'plugins'))).sort();
}

/**
 * All that `gemini plugins check` finds in a compiled plugin, errors first, but for what it starts processes to learn:
 * its size and what importing it takes.
 */
export async function examine(root: string): Promise<readonly Finding[]> {
  const [{hostErrors}, {hostServices}] = await Promise.all([
    import('#bin/dist/host-errors.js'),
    import('#bin/dist/host-services.js'),
  ]);
  const catalog = createCatalog(await readProduct(), {host: {services: hostServices, errors: hostErrors}});
  const subject = await readSubject(root, catalog);
  const found: Finding[] = [];
  for (const check of CHECKS) {
    const answer = await check(subject);
    found.push(...('findings' in answer ? answer.findings : answer));
  }
  return [...found.filter(({level}) => level === 'error'), ...found.filter(({level}) => level === 'warning')];
}

/** Writes the manifests of a compiled plugin, as `gemini plugins build` does. */
export async function build(root: string): Promise<void> {
  const {writeManifests} = await import('#plugins/devkit/dist/write-manifests.js');
  await writeManifests(root);
}

async function readProduct(): Promise<readonly CatalogPlugin[]> {
  return Promise.all(
    (await listProduct()).map(async (name) => {
      const root = pluginRoot(name);
      return {
        root,
        origin: 'core' as const,
        manifest: JSON.parse(await readFile(join(root, 'gemini.plugin.json'), 'utf8')) as Manifest,
      };
    }),
  );
}
