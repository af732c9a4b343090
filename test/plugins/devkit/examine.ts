import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createCatalog, type CatalogPlugin, type Manifest} from '@gemini-kernel/kernel/host';
import {builtModule} from '../../helpers/built-module.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';

export interface Finding {
  readonly level: 'error' | 'warning';
  readonly code: string;
  readonly sentence: string;
}

type Check = (
  subject: object,
) => readonly Finding[] | Promise<readonly Finding[]> | {readonly findings: readonly Finding[]};

/** Each file of the plugin with the checks it exports, in the order of `gemini plugins check`. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  'check-files': ['checkFiles'],
  'check-admission': ['checkAdmission', 'checkErrors'],
  'check-services': ['checkServices'],
  'check-settings': ['checkSettings'],
  'check-names': ['checkNames'],
  'check-travel': ['checkTravel'],
  'check-docs': ['checkDocs'],
  'check-capabilities': ['checkCapabilities'],
  'check-compatibility': ['checkCompatibility'],
};

/** Names of the plugins of the product. */
export async function listProduct(): Promise<readonly string[]> {
  return (await readdir(join(checkout, 'plugins'))).sort();
}

/**
 * All that `gemini plugins check` finds in a compiled plugin, errors first, but for what it starts processes to learn:
 * its size and what importing it takes.
 */
export async function examine(root: string): Promise<readonly Finding[]> {
  const {readSubject} = await import('#plugins/devkit/dist/check/read-subject.js');
  const [{hostErrors}, {hostServices}] = await Promise.all([
    import('#bin/dist/host-errors.js'),
    import('#bin/dist/host-services.js'),
  ]);
  const catalog = createCatalog(await readProduct(), {host: {services: hostServices, errors: hostErrors}});
  const subject = await readSubject(root, catalog);
  const found: Finding[] = [];
  for (const [file, names] of Object.entries(CHECKS)) {
    const checks = await builtModule<Readonly<Record<string, Check>>>('devkit', `check/${file}.js`);
    for (const name of names) found.push(...findingsIn(await checks[name]?.(subject)));
  }
  return [...found.filter(({level}) => level === 'error'), ...found.filter(({level}) => level === 'warning')];
}

/** Writes the manifests of a compiled plugin, as `gemini plugins build` does. */
export async function build(root: string): Promise<void> {
  const {writeManifests} = await import('#plugins/devkit/dist/write-manifests.js');
  await writeManifests(root);
}

function findingsIn(answer: Awaited<ReturnType<Check>> | undefined): readonly Finding[] {
  if (answer === undefined) throw new Error('A check that a test knows is no longer there.');
  return 'findings' in answer ? answer.findings : answer;
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
