import {askAbout, type JudgedPart, type Work} from './judge-part.js';
import type {Change} from './line-subject.js';
import {isBelow} from './path-pattern.js';
import type {TreeWrite} from './tree-writes.js';

/** What rules that hold a place say of a path of which something is deleted, moved, replaced or filled. */
export function judgeChange({selection, world}: Work, {path, what, reach}: Change): readonly JudgedPart[] {
  const fold = (one: string): string =>
    world.platform === 'darwin' || world.platform === 'win32' ? one.replaceAll('\\', '/').toLowerCase() : one;
  const changed = fold(path);
  const found = selection.holding.find(({rule}) =>
    rule.holds?.some((held) => isBelow(changed, fold(held)) || reaches(reach, changed, fold(held))),
  );
  return found ? [askAbout(what, `It changes ${path}, and gemini obeys what is there or below.`, found.rule)] : [];
}

/** Whether a change of a folder takes along what stands below it. */
function reaches(reach: TreeWrite['reach'], folder: string, held: string): boolean {
  if (reach === 'named' || !isBelow(held, folder)) return false;
  const [next = ''] = held.slice(folder === '/' ? 1 : folder.length + 1).split('/');
  return reach === 'whole' || reach.test(next);
}
