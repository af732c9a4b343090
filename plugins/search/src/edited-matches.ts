import type {ToolContext} from '@gemini-kernel/kernel';
import type {Buffers, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {boundedTest, TestTooLong} from './bounded-test.js';
import type {FileMatches, LineMatch, Place} from './engine/engine.js';
import {cutLine} from './engine/cut-line.js';
import {comparePaths} from './engine/path-order.js';
import type {Grep, Grepped} from './grep-files.js';
import {withSeparator} from './with-separator.js';

/** So many files with matches are compared with what an editor has. */
const MOST_COMPARED = 100;

interface EditedContext extends Pick<ToolContext, 'permits' | 'signal'> {
  readonly buffers: Buffers;
  readonly workspace: Pick<Workspace, 'ignored'>;
}

/**
 * The matches as they are where files are edited: in those that were found on the disk, and in those that are known to
 * be edited. A file that an editor does not give keeps what was found.
 */
export async function withEdited(found: Grepped, grep: Grep, context: EditedContext): Promise<Grepped> {
  const {buffers, signal} = context;
  if (!buffers.isUsed) return found;
  const files = new Map(found.files.map((file) => [file.path, file]));
  const known = grep.include === undefined ? await knownIn(grep, context) : [];
  const paths = [...new Set([...known, ...[...files.keys()].slice(0, MOST_COMPARED)])];
  const find = createFinder(grep);
  for (const path of paths) {
    const text = await buffers.read(path, signal);
    const lines = text === undefined ? undefined : find(text);
    if (!lines) continue;
    if (lines.length === 0) files.delete(path);
    else if (!isSame(lines, files.get(path)?.lines)) files.set(path, {path, lines});
  }
  return {
    ...found,
    files: atMost(
      [...files.values()].sort((a, b) => comparePaths(a.path, b.path)),
      grep.most,
    ),
  };
}

/** Files that are known to be edited where the search looks, and that may be read. */
async function knownIn(
  {places, ignore}: Grep,
  {buffers, workspace, permits}: EditedContext,
): Promise<readonly string[]> {
  const within = buffers.edited().filter((path) => places.some((place) => isIn(path, place)));
  if (within.length === 0) return [];
  const [ignored, permitted] = await Promise.all([
    ignore === false ? within.map(() => false) : workspace.ignored(within, ignore),
    permits(within.map((value) => ({kind: 'path', value, access: 'read'}))),
  ]);
  return within.filter((_, index) => ignored[index] !== true && permitted[index] === true);
}

function isIn(path: string, place: Place): boolean {
  return place.isFile ? path === place.path : path.startsWith(withSeparator(place.path));
}

/** Finds the lines of a text; undefined when the pattern takes too long on it. */
function createFinder({pattern, except, mostPerFile}: Grep): (text: string) => readonly LineMatch[] | undefined {
  const regex = new RegExp(pattern.script.source, pattern.script.flags);
  const [fits, isExcepted] = [
    boundedTest(regex),
    except ? boundedTest(new RegExp(except.script.source, except.script.flags)) : () => false,
  ];
  return (text) => {
    const lines: LineMatch[] = [];
    try {
      for (const [index, line] of text.replace(/\n$/, '').split(/\r?\n/).entries()) {
        if (lines.length >= mostPerFile) break;
        if (fits(line) && !isExcepted(line)) lines.push({number: index + 1, text: cutLine(line, line.search(regex))});
      }
      return lines;
    } catch (error) {
      if (error instanceof TestTooLong) return undefined;
      throw error;
    }
  };
}

function isSame(lines: readonly LineMatch[], others: readonly LineMatch[] | undefined): boolean {
  return (
    lines.length === others?.length &&
    lines.every(({number, text}, index) => others[index]?.number === number && others[index].text === text)
  );
}

/** The first so many lines in all. */
function atMost(files: readonly FileMatches[], most: number): readonly FileMatches[] {
  let left = most;
  return files.flatMap(({path, lines}) => {
    const kept = lines.slice(0, left);
    left -= kept.length;
    return kept.length > 0 ? [{path, lines: kept}] : [];
  });
}
