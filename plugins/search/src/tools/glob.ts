import {defineTool, type ToolResult} from '@gemini-kernel/kernel';
import type {IgnoreOptions, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';
import type {Place} from '../engine/engine.js';
import {NEVER_ENTERED} from '../engine/left-out.js';
import {findFiles, type FileSearch, type FoundFiles} from '../find-files.js';
import {ignoredSentence} from '../ignored-sentence.js';
import {pathNote} from '../path-note.js';
import {checkTarget, searchTouches} from '../search-target.js';
import {shownPath} from '../shown-path.js';
import {whereSearched} from '../where-searched.js';
import {withinTime} from '../within-time.js';

/** More are counted, not listed. */
const MOST_LISTED = 20_000;

export default defineTool({
  name: 'glob',
  description:
    'Finds files by a glob pattern such as "**/*.ts" or "src/{a,b}*.md", in every directory of the workspace or ' +
    'in one. Gives absolute paths: files changed within the last 24 hours first, the newest of them at the top, ' +
    'then the others by path. ' +
    ('Hidden files count. Left out: what ignore files name, and node_modules, .git and the like unless dir_path ' +
      'leads into them.'),
  effect: 'search',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['pattern'],
    properties: {
      pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 10_000,
        description: 'Glob pattern, from the directory searched. A pattern that is the path of a file means that file.',
      },
      dir_path: {
        type: 'string',
        minLength: 1,
        description: 'Directory to search in; every directory of the workspace when left out.',
      },
      case_sensitive: {type: 'boolean', default: false, description: 'Whether upper and lower case differ.'},
      respect_git_ignore: {
        type: 'boolean',
        description: 'Leave out what .gitignore files name; as set in the settings when left out.',
      },
      respect_gemini_ignore: {
        type: 'boolean',
        description: 'Leave out what .geminiignore names; as set in the settings when left out.',
      },
    },
  },
  async touches({dir_path}, {service}) {
    return searchTouches(dir_path, await service('workspace'));
  },
  async run(input, {call, service, signal, progress}) {
    const [workspace, search] = await Promise.all([service('workspace'), service('search')]);
    const {
      pattern,
      dir_path,
      case_sensitive: isCaseSensitive = false,
      respect_git_ignore: git,
      respect_gemini_ignore: gemini,
    } = input;
    const ignore: IgnoreOptions = {...(git === undefined ? {} : {git}), ...(gemini === undefined ? {} : {gemini})};
    const target = dir_path === undefined ? undefined : call.touches[0]?.value;
    if (target !== undefined)
      await checkTarget(target, {
        workspace,
        ignore,
        files: false,
        hint: 'Set respect_git_ignore or respect_gemini_ignore to false to search it all the same.',
      });
    const places = await search.places(target);
    const onFound = (count: number, path: string): void => progress({text: shownPath(path), done: count});
    const find = (more: Pick<FileSearch, 'ignore' | 'most'>): Promise<FoundFiles> =>
      withinTime(signal, (limited) =>
        findFiles({
          pattern,
          places,
          isCaseSensitive,
          search,
          workspace,
          signal: limited,
          withoutFolders: NEVER_ENTERED,
          onFound,
          ...more,
        }),
      );
    const found = await find({ignore});
    if (found.paths.length > 0) return foundResult(found, {pattern, where: whereSearched(places)});
    const [leftOut] = (await find({ignore: false, most: 1})).paths;
    return emptyResult(found, {pattern, where: whereSearched(places)}, [
      ...notEntered(pattern, places),
      ...(leftOut === undefined ? [] : await whyIgnored(leftOut, {workspace, ignore})),
    ]);
  },
});

/** What was searched for, and where, as a sentence says it. */
interface Searched {
  readonly pattern: string;
  readonly where: string;
}

function emptyResult({unreadable}: FoundFiles, {pattern, where}: Searched, reasons: readonly string[]): ToolResult {
  const why = reasons.map((sentence) => ` ${sentence}`).join('');
  return {
    model: `No files found matching pattern "${pattern}" ${where}.${why}${pathNote(unreadable, 'could not be read')}`,
    display: 'No files found',
    data: {files: [], unreadable},
  };
}

function foundResult({paths, unreadable}: FoundFiles, {pattern, where}: Searched): ToolResult {
  const count = `${paths.length} file${paths.length === 1 ? '' : 's'}`;
  const cut = paths.length > MOST_LISTED ? ` (the first ${MOST_LISTED} are listed)` : '';
  const files = paths.slice(0, MOST_LISTED);
  const model =
    `Found ${count} matching "${pattern}" ${where}, sorted by modification time (newest ` +
    `first)${cut}:\n${files.map(shownPath).join('\n')}${pathNote(unreadable, 'could not be read')}`;
  return {model, display: `Found ${count}`, data: {files, unreadable}};
}

/** Of a pattern that leads into a directory that is never entered from outside. */
function notEntered(pattern: string, places: readonly Place[]): readonly string[] {
  const inside = places.find(({path}) => pattern.startsWith(path))?.path ?? '';
  const name = pattern
    .slice(inside.length)
    .split(/[/\\]/)
    .find((step) => NEVER_ENTERED.includes(step));
  return name === undefined ? [] : [`${name} is searched only when dir_path leads into it.`];
}

async function whyIgnored(
  path: string,
  {workspace, ignore}: {readonly workspace: Pick<Workspace, 'explain' | 'ignored'>; readonly ignore: IgnoreOptions},
): Promise<readonly string[]> {
  // It may have been left out for another reason: that it was not there yet.
  if (!(await workspace.ignored([path], ignore))[0]) return [];
  return [`A file that matches is left out: ${await ignoredSentence(path, workspace)}`];
}
