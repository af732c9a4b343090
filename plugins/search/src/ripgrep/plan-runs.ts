import {relative, sep} from 'node:path';
import type {IgnoreSources, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {EngineRefused, type Place, type WalkRequest} from '../engine/engine.js';
import type {Run} from './rg-arguments.js';

type Rules = Omit<Run, 'places' | 'directory'>;

const NO_RULES: Rules = {git: false, ignoreCase: false, own: [], asksAgain: false, without: []};
/** What the program reads otherwise than git does. */
const ODD = /[{[\\]/;

/**
 * Which runs of the program serve a request, in path order; places next to each other share one when the same rules
 * hold.
 */
export async function planRuns(
  {places, ignore}: WalkRequest,
  workspace: Pick<Workspace, 'ignoreSources' | 'roots'>,
): Promise<readonly Run[]> {
  const odd = places.find(({path}) => /[\ud800-\udfff]/u.test(path));
  if (odd) throw new EngineRefused(`ripgrep cannot be given the path ${JSON.stringify(odd.path)}, which is no UTF-8.`);
  const roots = (await workspace.roots()).map(({path}) => path);
  const sourcesOf = (root: string): Promise<IgnoreSources | undefined> =>
    ignore === false ? Promise.resolve(undefined) : workspace.ignoreSources(root, ignore);
  const runs: Run[] = [];
  for (const place of places) {
    const root = innermost(roots, place);
    const sources = await sourcesOf(root);
    const inner = roots.filter((path) => path !== root && path.startsWith(place.path + sep));
    const inside = await Promise.all(
      inner.map(async (path) => (await sourcesOf(path))?.own.filter(({base}) => base === path) ?? []),
    );
    const without = places
      .filter((other) => other.path.startsWith(place.path + sep))
      .map(({path}) => relative(root, path));
    const rules = {...(sources === undefined ? NO_RULES : rulesOf(root, sources, inside.flat())), without};
    const last = runs.at(-1);
    // Globs start from the directory that the program runs in.
    if (last && rules.own.length === 0 && without.length === 0 && sameRules(last, rules))
      runs[runs.length - 1] = {...last, places: [...last.places, place]};
    else runs.push({...rules, places: [place], directory: root});
  }
  return runs;
}

/** The workspace directory with the last word: a place may have been narrowed to one in another, or below it. */
function innermost(roots: readonly string[], {path, root}: Place): string {
  return (
    roots.filter((one) => path === one || path.startsWith(one + sep)).sort((a, b) => b.length - a.length)[0] ?? root
  );
}

/** `inside`: lines that count further down only, in other directories of the workspace. */
function rulesOf(
  root: string,
  {git, ignoreCase, hasOddLines, own}: IgnoreSources,
  inside: IgnoreSources['own'],
): Omit<Rules, 'without'> {
  // A line that takes back what others leave out has to see all of that, and so has one that the program would read
  // otherwise.
  if (hasOddLines || [...own, ...inside].some(({isNegated}) => isNegated))
    return {git: false, ignoreCase, own: [], asksAgain: true};
  const isPlain = own.every(({base, pattern}) => base === root && !ODD.test(pattern));
  return {git, ignoreCase, own: isPlain ? own : [], asksAgain: inside.length > 0 || !isPlain};
}

function sameRules(a: Rules, b: Omit<Rules, 'without'>): boolean {
  return (
    a.own.length === 0 &&
    a.without.length === 0 &&
    a.git === b.git &&
    a.ignoreCase === b.ignoreCase &&
    a.asksAgain === b.asksAgain
  );
}
