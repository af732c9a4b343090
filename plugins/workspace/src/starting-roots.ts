import {isAbsolute, relative, sep} from 'node:path';
import {KernelError, type Environment, type ServiceContext} from '@gemini-kernel/kernel';
import type {LayerValue} from '@gemini-kernel/plugin-settings/contract';
import {findDirectories, refuseProblems} from './directory.js';
import {Roots} from './roots.js';

/** The settings key that names further directories. */
export const INCLUDE_DIRECTORIES = 'context.includeDirectories';

/** The texts in a settings value that is meant to be a list; a single text is a list of one, blanks are dropped. */
export function listOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === 'string').map((one) => one.trim()).filter((one) => one !== '');
}

/**
 * The roots a session starts with: the current directory, what settings files and then flags include, what the editor has open.
 * Throws KernelError DIRECTORY_* when a flag names no directory; one that a file names is left out with a warning.
 */
export async function collectRoots({environment, service}: Pick<ServiceContext, 'environment' | 'service'>): Promise<{cwd: string; roots: Roots}> {
  const cwd = currentDirectory(environment);
  const settings = await service('settings');
  const {layers} = await settings.explain(INCLUDE_DIRECTORIES);
  const place = {home: environment.home, from: cwd};
  const configured = findConfigured(layers.filter(({layer}) => layer !== 'flag'), place, environment);
  const flagged = findDirectories(layers.filter(({layer}) => layer === 'flag').flatMap(({value}) => listOf(value)), place);
  const opened = findDirectories(editorFolders(environment), place);
  refuseProblems(flagged.problems, '--include-directories');
  const roots = new Roots();
  roots.add({path: cwd, source: 'cwd'});
  for (const path of configured) roots.add({path, source: 'settings'});
  for (const path of flagged.paths) roots.add({path, source: 'flag'});
  for (const path of withoutWide(opened.paths, environment.home)) roots.add({path, source: 'editor'});
  return {cwd, roots};
}

function currentDirectory({cwd, home}: Environment): string {
  const {paths, problems} = findDirectories([cwd], {home, from: cwd});
  const [path] = paths;
  if (path !== undefined) return path;
  throw new KernelError(problems[0]?.code ?? 'DIRECTORY_MISSING', `The current directory is gone or out of reach: ${cwd}.`, {
    cause: problems[0]?.cause,
    hint: 'Change to a directory that exists and start again.',
  });
}

function findConfigured(layers: readonly LayerValue[], place: {home: string; from: string}, {warn}: Environment): readonly string[] {
  const perLayer = layers.map(({value}) => findDirectories(listOf(value), place));
  perLayer.forEach(({problems}, index) => {
    const source = layers[index]?.source ?? 'settings';
    for (const {sentence} of problems) warn(`${INCLUDE_DIRECTORIES} in ${source}: ${sentence} It is left out.`);
  });
  return perLayer.flatMap(({paths}) => paths);
}

/** What holds the whole home directory is not opened to tools only because an editor shows it. */
export function withoutWide(paths: readonly string[], home: string): readonly string[] {
  return paths.filter((path) => relative(path, home).split(sep)[0] === '..' || isAbsolute(relative(path, home)));
}

function editorFolders({variables, platform}: Environment): readonly string[] {
  return listOf(variables['GEMINI_CLI_IDE_WORKSPACE_PATH']?.split(platform === 'win32' ? ';' : ':'));
}
