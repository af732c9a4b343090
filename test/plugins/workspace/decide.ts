import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {IgnoreRule} from '@gemini-kernel/plugin-workspace/contract';
import {IgnoreRules} from '#plugins/workspace/dist/ignore-rules.js';
import {Roots} from '#plugins/workspace/dist/roots.js';

export interface Asked {
  readonly roots?: readonly string[];
  readonly git?: boolean;
  readonly gemini?: boolean;
  readonly custom?: readonly string[];
  readonly warnings?: string[];
  readonly platform?: NodeJS.Platform;
}

/** Asks about paths relative to a root, and gives the deciding lines with files relative to it too. */
export async function decide(
  root: string,
  paths: readonly string[],
  {roots = [root], warnings = [], platform = 'linux', ...options}: Asked = {},
): Promise<readonly (string | undefined)[]> {
  const known = new Roots();
  for (const path of roots) known.add({path, source: 'cwd'});
  const rules = new IgnoreRules({tell: ({sentence}) => void warnings.push(sentence), platform});
  const found = await rules.decide(
    paths.map((path) => join(root, path)),
    {roots: known, git: true, gemini: true, custom: [], ...options},
  );
  return found.map((rule) => describeRule(rule, root));
}

/** Of paths relative to a root, those that a walk from the top meets, and whether it meets them as ignored. */
export async function decideByWalk(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const roots = new Roots();
  roots.add({path: root, source: 'cwd'});
  const walk = new IgnoreRules({tell: () => undefined, platform: 'linux'}).walk({
    roots,
    git: true,
    gemini: true,
    custom: [],
  });
  const met = new Map<string, boolean>();
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = (await readdir(folder, {withFileTypes: true})).map((entry) => ({
      name: entry.name,
      isDirectory: entry.isDirectory(),
    }));
    const answers = await walk.entries(folder, entries);
    for (const [index, {name, isDirectory}] of entries.entries()) {
      const path = join(folder, name);
      met.set(path, answers[index] === true);
      if (isDirectory) folders.push(path);
    }
  }
  return new Map(
    paths.flatMap((path) => {
      const ignored = met.get(join(root, path));
      return ignored === undefined ? [] : [[path, ignored] as const];
    }),
  );
}

/** A rule as `file:line: pattern`, with the file relative to a root. */
export function describeRule(rule: IgnoreRule | undefined, root: string): string | undefined {
  return rule && `${rule.file.replace(`${root}/`, '')}:${rule.line}: ${rule.pattern}`;
}
