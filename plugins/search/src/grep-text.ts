import {readableText} from './engine/bytes.js';
import {pathNote} from './path-note.js';
import {MOST_LINES, type ShownFile} from './show-files.js';
import {shownPath} from './shown-path.js';

export interface GrepSummary {
  readonly pattern: string;
  /** Where was searched, in words. */
  readonly where: string;
  readonly include?: string;
  /** Set when there was more than this. */
  readonly limit?: number;
  readonly unreadable: readonly string[];
  readonly changed: readonly string[];
  readonly isIgnoring: boolean;
}

/** Found lines as the model reads them. */
export function linesText(files: readonly ShownFile[], summary: GrepSummary): string {
  const count = files.reduce((sum, {lines}) => sum + lines.filter(({isMatch}) => isMatch).length, 0);
  if (count === 0) return nothingText(summary);
  const blocks = files.map(
    (file) => `File: ${shownPath(file.path)}${file.isChanged ? ' (changed meanwhile)' : ''}\n${blockText(file)}`,
  );
  const bare = files.filter(({isBare}) => isBare).map(({path}) => path);
  const note = pathNote(bare, `without the lines around the matches, because at most ${MOST_LINES} lines are shown`);
  return (
    `Found ${counted(count, 'match', 'matches')} ` +
    `${conditions(summary, ['match', 'matches'])}:\n---\n${blocks.join('\n---\n')}\n---${note}${notes(summary)}`
  );
}

/** Found files as the model reads them. */
export function namesText(paths: readonly string[], summary: GrepSummary): string {
  if (paths.length === 0) return nothingText(summary);
  return (
    `Found ${counted(paths.length, 'file', 'files')} with matches ` +
    `${conditions(summary, ['file', 'files'])}:\n${paths.map(shownPath).join('\n')}${notes(summary)}`
  );
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

function conditions({pattern, where, include, limit}: GrepSummary, [one, several]: readonly [string, string]): string {
  const limited = limit === undefined ? '' : ` (results limited to ${counted(limit, one, several)} for performance)`;
  return `for pattern "${pattern}" ${where}${filter(include)}${limited}`;
}

function filter(include: string | undefined): string {
  return include === undefined ? '' : ` (filter: "${include}")`;
}

function blockText({lines}: ShownFile): string {
  const hasOthers = lines.some((line) => !line.isMatch);
  return lines
    .map(({number, text, isMatch}, index) => {
      const before = lines[index - 1]?.number;
      return (
        `${hasOthers && before !== undefined && before < number - 1 ? '--\n' : ''}L${number}${isMatch ? ':' : '-'} ` +
        `${readableText(text)}`
      );
    })
    .join('\n');
}

function nothingText(summary: GrepSummary): string {
  const {pattern, where, include, isIgnoring} = summary;
  const hint = isIgnoring
    ? ' Ignored files, dependencies and build output were not searched; no_ignore searches them too.'
    : '';
  return `No matches found for pattern "${pattern}" ${where}${filter(include)}.${hint}${notes(summary)}`;
}

function notes({unreadable, changed}: GrepSummary): string {
  return `${pathNote(changed, 'changed while being searched, not shown')}${pathNote(unreadable, 'could not be read')}`;
}
