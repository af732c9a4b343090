import type {SimpleCommand} from '../bash/analysis.js';
import type {JudgedPart, Work} from './judge-part.js';
import {changesOwnRules} from './own-commands.js';
import {isBelow} from './path-pattern.js';
import {findTreeWrites, type TreeWrite} from './tree-writes.js';

/** A real path of which something is deleted, moved, replaced or filled. */
interface Change extends TreeWrite {
  readonly what: string;
}

/** What rules say of folders that a shell line changes as a whole, and of our own program when the line runs it. */
export async function judgeTrees(work: Work, commands: readonly SimpleCommand[]): Promise<readonly JudgedPart[]> {
  const own = commands
    .filter(changesOwnRules)
    .map(({text}) => objection(text, 'It runs gemini in a way that may change what gemini obeys.'));
  const writes = commands.flatMap(findTreeWrites);
  if (writes.length === 0) return own;
  const real = await work.world.realPaths(writes.map(({path}) => path));
  // As written, too: a link is itself deleted, moved or replaced, not what it leads to.
  const changes = writes.flatMap(({path, reach}, index) =>
    [...new Set([path, real[index] ?? path])].map((one) => ({path: one, what: path, reach})),
  );
  return [...own, ...judgeChanges(work, changes)];
}

/** The same of a call that deletes or moves a path. */
export function judgeChanges({selection, world}: Work, changes: readonly Change[]): readonly JudgedPart[] {
  const rules = selection.rules.filter(({rule}) => rule.holds);
  const fold = (path: string): string =>
    world.platform === 'darwin' || world.platform === 'win32' ? path.replaceAll('\\', '/').toLowerCase() : path;
  return changes.flatMap(({path, what, reach}) => {
    const changed = fold(path);
    const found = rules.find(({rule}) =>
      rule.holds?.some((held) => isBelow(changed, fold(held)) || reaches(reach, changed, fold(held))),
    );
    return found
      ? [
          {
            ...objection(what, `It changes ${path}, and gemini obeys what is there or below.`),
            finding: {decision: 'ask', rule: found.rule, isDoubtful: false, base: undefined},
          } as const,
        ]
      : [];
  });
}

/** Whether a change of a folder takes along what stands below it. */
function reaches(reach: TreeWrite['reach'], folder: string, held: string): boolean {
  if (reach === 'named' || !isBelow(held, folder)) return false;
  const [next = ''] = held.slice(folder === '/' ? 1 : folder.length + 1).split('/');
  return reach === 'whole' || reach.test(next);
}

function objection(what: string, reason: string): JudgedPart {
  return {what, reason, finding: {decision: 'ask', rule: undefined, isDoubtful: false, base: undefined}};
}
