import {defineTool, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import type {ContextOptions} from '../context-lines.js';
import type {FileMatches} from '../engine/engine.js';
import {withEdited} from '../edited-matches.js';
import {grepFiles, type Grep} from '../grep-files.js';
import {linesText, namesText, type GrepSummary} from '../grep-text.js';
import {compilePattern} from '../pattern/compile-pattern.js';
import {checkTarget, searchTouches} from '../search-target.js';
import {MOST_LINES, showFiles, type ShownFile} from '../show-files.js';
import {whereSearched} from '../where-searched.js';
import {withinTime} from '../within-time.js';

const MOST_BY_DEFAULT = 100;
/** Context lines for few matches, when the call does not say how many. */
const FEW_MATCHES = [
  {matches: 1, lines: 50},
  {matches: 3, lines: 15},
];

const count = {type: 'integer', minimum: 0, maximum: 1000} as const;

export default defineTool({
  name: 'grep_search',
  description:
    'Searches the lines of files for a regular expression (as in JavaScript, on one line at a time; look-around ' +
    'and back-references work) or for a text, in every directory of the workspace or in one. ' +
    ('Gives absolute paths, line numbers and lines, by path. Left out: binary files, what ignore files name, and ' +
      'dependencies and build output such as node_modules and dist; no_ignore searches them too. ') +
    ('Lines of files that may not be read are never shown. One to three matches come with the lines around them. ' +
      'For names of files use glob.'),
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
        description: 'What a line must hold: a regular expression, or a text with fixed_strings.',
      },
      dir_path: {
        type: 'string',
        minLength: 1,
        description: 'Directory or file to search in; every directory of the workspace when left out.',
      },
      include_pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 10_000,
        description:
          'Glob pattern of files to search, such as "*.ts" (in any directory) or "src/**/*.{ts,tsx}"; does not ' +
          'count when dir_path is a file.',
      },
      exclude_pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 10_000,
        description: 'Regular expression of lines that do not count.',
      },
      names_only: {type: 'boolean', default: false, description: 'Give only the paths of files with a match.'},
      max_matches_per_file: {type: 'integer', minimum: 1, description: 'The first so many matches of each file.'},
      total_max_matches: {
        type: 'integer',
        minimum: 1,
        default: MOST_BY_DEFAULT,
        description: `The first so many matches in all, by path; with names_only, files. ${MOST_LINES} at most.`,
      },
      case_sensitive: {type: 'boolean', default: false, description: 'Whether upper and lower case differ.'},
      fixed_strings: {type: 'boolean', default: false, description: 'The pattern is a text, not a regular expression.'},
      context: {...count, description: 'Lines to show before and after each match.'},
      before: {...count, description: 'Lines to show before each match.'},
      after: {...count, description: 'Lines to show after each match.'},
      no_ignore: {
        type: 'boolean',
        default: false,
        description: 'Search also what ignore files name, dependencies and build output.',
      },
    },
  },
  async touches({dir_path}, {service}) {
    return searchTouches(dir_path, await service('workspace'));
  },
  async run(input, {call, service, signal, progress, permits}) {
    const [workspace, buffers, search, {pattern, except}] = await Promise.all([
      service('workspace'),
      service('buffers'),
      service('search'),
      compilePatterns(input),
    ]);
    const ignore = input.no_ignore === true ? false : {};
    const target = input.dir_path === undefined ? undefined : call.touches[0]?.value;
    if (target !== undefined)
      await checkTarget(target, {workspace, ignore, files: true, hint: 'Set no_ignore to search it all the same.'});
    const places = await search.places(target);
    // A file that is asked for by its path is meant.
    const include = places[0]?.isFile === true ? undefined : input.include_pattern;
    const included = include === undefined ? {} : {include};
    const grep: Grep = {pattern, places, ignore, ...limitsOf(input), ...(except ? {except} : {}), ...included};
    const found = await withinTime(signal, async (limited) => {
      const saved = await grepFiles(grep, {search, workspace, permits, progress, signal: limited});
      return withEdited(saved, grep, {buffers, workspace, permits, signal: limited});
    });
    const {files, isLimited, unreadable, changed} = found;
    const summary: GrepSummary = {
      pattern: input.pattern,
      where: whereSearched(places).replace(/^within (.*)$/s, 'in path "$1"'),
      unreadable,
      changed,
      isIgnoring: ignore !== false,
      ...included,
      ...(isLimited ? {limit: grep.most} : {}),
    };
    const data = {files, isLimited, unreadable, changed};
    if (input.names_only === true) return namesResult(files, summary, data);
    return resultOf(await showFiles(files, {...linesAround(input, files), workspace, signal}), summary, data);
  },
});

interface PatternInput {
  readonly pattern: string;
  readonly exclude_pattern?: string;
  readonly case_sensitive?: boolean;
  readonly fixed_strings?: boolean;
}

async function compilePatterns({
  pattern,
  exclude_pattern: excluded,
  case_sensitive: isCaseSensitive = false,
  fixed_strings: isLiteral = false,
}: PatternInput): Promise<Pick<Grep, 'pattern' | 'except'>> {
  const [wanted, except] = await Promise.all([
    compilePattern(pattern, {isLiteral, isCaseSensitive, parameter: 'pattern'}),
    excluded === undefined
      ? undefined
      : compilePattern(excluded, {isLiteral: false, isCaseSensitive, parameter: 'exclude_pattern'}),
  ]);
  return {pattern: wanted, ...(except ? {except} : {})};
}

interface LimitInput {
  readonly names_only?: boolean;
  readonly total_max_matches?: number;
  readonly max_matches_per_file?: number;
}

function limitsOf({
  names_only: isNames = false,
  total_max_matches: total = MOST_BY_DEFAULT,
  max_matches_per_file: perFile,
}: LimitInput): Pick<Grep, 'most' | 'mostPerFile'> {
  const most = Math.min(total, MOST_LINES);
  return {most, mostPerFile: isNames ? 1 : (perFile ?? most)};
}

type Around = Pick<ContextOptions, 'before' | 'after'>;

function linesAround(
  {context, before, after}: {readonly context?: number; readonly before?: number; readonly after?: number},
  files: readonly FileMatches[],
): Around {
  if (context !== undefined || before !== undefined || after !== undefined)
    return {before: before ?? context ?? 0, after: after ?? context ?? 0};
  const found = files.reduce((sum, {lines}) => sum + lines.length, 0);
  const lines = FEW_MATCHES.find(({matches}) => found <= matches)?.lines ?? 0;
  return {before: lines, after: lines};
}

function namesResult(files: readonly FileMatches[], summary: GrepSummary, data: unknown): ToolResult {
  return {
    model: namesText(
      files.map(({path}) => path),
      summary,
    ),
    display: `Found ${files.length} file${files.length === 1 ? '' : 's'}`,
    data,
  };
}

function resultOf(files: readonly ShownFile[], summary: GrepSummary, data: unknown): ToolResult {
  const found = files.reduce((sum, {lines}) => sum + lines.filter(({isMatch}) => isMatch).length, 0);
  return {
    model: linesText(files, summary),
    display:
      found === 0
        ? 'No matches found'
        : `Found ${found} match${found === 1 ? '' : 'es'}${summary.limit === undefined ? '' : ' (limited)'}`,
    data,
  };
}
