import {KernelError, type Environment, type ServiceContext} from '@gemini-kernel/kernel';
import type {LayerValue} from '@gemini-kernel/plugin-settings/contract';
import type {Trust} from '@gemini-kernel/plugin-trust/contract';
import {readAgreed} from './agreed-directories.js';
import type {PendingRoot, Root} from './contract.js';
import {findDirectories, refuseProblems, type NamingPlace} from './directory.js';
import {isClosed} from './joining.js';
import {Roots} from './roots.js';

/** The settings key that names further directories. */
export const INCLUDE_DIRECTORIES = 'context.includeDirectories';

/** The texts in a settings value that should be a list; a single text is a list of one, blanks are dropped. */
export function listOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list
    .filter((one): one is string => typeof one === 'string')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

type Context = Pick<ServiceContext, 'environment' | 'service' | 'names' | 'tell'>;

/**
 * The roots a session starts with: the current directory, then what settings files and flags include, then what the
 * editor has open; and what is left out until a person adds it. Throws KernelError DIRECTORY_* when a flag does not
 * name a directory; one that a file names is left out with a warning.
 */
export async function collectRoots(
  context: Context,
): Promise<{cwd: string; roots: Roots; pending: readonly PendingRoot[]}> {
  const {environment, service} = context;
  const cwd = currentDirectory(environment);
  const settings = await service('settings');
  const {layers} = await settings.explain(INCLUDE_DIRECTORIES);
  const place = {home: environment.home, from: cwd};
  const own = findConfigured(
    layers.filter(({layer}) => layer !== 'flag' && layer !== 'workspace'),
    place,
    context,
  );
  const asked = findConfigured(
    layers.filter(({layer}) => layer === 'workspace'),
    place,
    context,
  );
  const flagged = findDirectories(
    layers.filter(({layer}) => layer === 'flag').flatMap(({value}) => listOf(value)),
    place,
  );
  const opened = findDirectories(editorFolders(environment), place);
  refuseProblems(flagged.problems, {source: '--include-directories'});
  const roots = new Roots();
  roots.add({path: cwd, source: 'cwd'});
  for (const root of own) roots.add(root);
  const fromProject = await sortAsked(asked, {roots, flagged: flagged.paths}, context);
  for (const root of fromProject.open) roots.add(root);
  for (const path of flagged.paths) roots.add({path, source: 'flag'});
  const fromEditor = await sortForeign(opened.paths, {roots, by: 'editor'}, context);
  for (const path of fromEditor.open) roots.add({path, source: 'editor'});
  return {cwd, roots, pending: [...fromProject.pending, ...fromEditor.pending]};
}

interface Sorted<T> {
  readonly open: readonly T[];
  readonly pending: readonly PendingRoot[];
}

/** Of the directories in the project's settings, those in the project and those that a person agreed to are added. */
async function sortAsked(asked: readonly Root[], {roots, flagged}: Around, context: Context): Promise<Sorted<Root>> {
  const {environment, service} = context;
  const outside = asked
    .map(({path}) => path)
    .filter((path) => roots.holding(path) === undefined && !flagged.includes(path));
  if (outside.length === 0) return {open: asked, pending: []};
  const agreed = await readAgreed({files: await service('config-files'), environment, project: roots.paths()[0] ?? ''});
  // An agreement applies to the real path: the target of a name may change.
  const isOpen = ({path}: Root): boolean => !outside.includes(path) || agreed.has(path);
  const wanted = ({source: _, ...root}: Root): PendingRoot => ({
    ...root,
    wantedBy: 'project',
    isClosed: isClosed(root.path, environment),
  });
  return {open: asked.filter(isOpen), pending: asked.filter((one) => !isOpen(one)).map(wanted)};
}

interface Around {
  readonly roots: Roots;
  /** Real paths that flags name. */
  readonly flagged: readonly string[];
}

/**
 * Of the directories that an editor or the record of a session names, those in the workspace or in a trusted folder
 * are added.
 */
export async function sortForeign(
  paths: readonly string[],
  {roots, by}: {readonly roots: Roots; readonly by: 'editor' | 'session'},
  {environment, names, service}: Context,
): Promise<Sorted<string>> {
  const open: string[] = [];
  const pending: PendingRoot[] = [];
  const trust = names('trust').length > 0 ? await service('trust') : undefined;
  for (const path of paths) {
    const closed = isClosed(path, environment);
    if (roots.holding(path) !== undefined || (!closed && (await isTrusted(path, by, trust)))) open.push(path);
    // An editor may open anything; system directories and secrets that it shows are not a request.
    else if (!(by === 'editor' && closed)) pending.push({path, wantedBy: by, isClosed: closed});
  }
  return {open, pending};
}

async function isTrusted(path: string, by: 'editor' | 'session', trust: Trust | undefined): Promise<boolean> {
  const {trusted = false, rule} = (await trust?.explain(path)) ?? {};
  // A variable lists the folders that the user's own editor shows; a file that names some is not proof of that.
  return trusted && (by === 'editor' || (rule !== undefined && rule.level !== 'DO_NOT_TRUST'));
}

function currentDirectory({cwd, home}: Environment): string {
  const {paths, problems} = findDirectories([cwd], {home, from: cwd, withClosed: true});
  const [path] = paths;
  if (path !== undefined) return path;
  throw new KernelError(
    problems[0]?.code ?? 'DIRECTORY_MISSING',
    `The current directory does not exist or cannot be reached: ${cwd}.`,
    {
      cause: problems[0]?.cause,
      hint: 'Change to an existing directory and start again.',
    },
  );
}

/** The directories that settings files name, each once. */
function findConfigured(layers: readonly LayerValue[], place: NamingPlace, {tell}: Context): readonly Root[] {
  return layers.flatMap(({value, source}) => {
    const {found, problems} = findDirectories(listOf(value), place);
    for (const {sentence} of problems)
      tell({
        code: 'DIRECTORY_LEFT_OUT',
        sentence: `${INCLUDE_DIRECTORIES} in ${source ?? 'settings'}: ${sentence} Ignoring this entry.`,
      });
    const from = source ? {from: source} : {};
    return found.map(({path, given}): Root => ({
      path,
      source: 'settings',
      ...from,
      ...(given === path ? {} : {given}),
    }));
  });
}

function editorFolders({variables, platform}: Environment): readonly string[] {
  return listOf(variables['GEMINI_CLI_IDE_WORKSPACE_PATH']?.split(platform === 'win32' ? ';' : ':'));
}
