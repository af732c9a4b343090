import {realpathSync} from 'node:fs';
import {posix, win32} from 'node:path';
import {findNearest, KernelError} from '@gemini-kernel/kernel';
import type {TrustLevel, TrustRule} from './contract.js';

const levels: readonly TrustLevel[] = ['TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST'];

/** The rules in the object of a trustedFolders.json. Throws KernelError TRUST_FILE_INVALID, naming the entry. */
export function rulesOf(values: Readonly<Record<string, unknown>>, file: string): readonly TrustRule[] {
  return Object.entries(values).map(([path, level]) => {
    const known = levels.find((one) => one === level);
    if (known) return {path, level: known};
    const near = typeof level === 'string' ? findNearest(level.toUpperCase(), levels) : [];
    throw new KernelError('TRUST_FILE_INVALID', `${file} gives ${path} the level ${JSON.stringify(level)}.`, {
      hint: near.length > 0 ? `Did you mean ${near.join(', ')}?` : `A level is one of ${levels.join(', ')}.`,
      data: {file, path, level},
    });
  });
}

export interface RealRule extends TrustRule {
  /** The real path of the folder that it speaks about. */
  readonly real: string;
}

/** The rules with the folders that they speak about, links followed. */
export function resolveRules(rules: readonly TrustRule[], platform: NodeJS.Platform): readonly RealRule[] {
  const {dirname} = pathsOf(platform);
  return rules.map((rule) => ({
    ...rule,
    real: fold(realOf(rule.level === 'TRUST_PARENT' ? dirname(rule.path) : rule.path), platform),
  }));
}

/**
 * The rule that decides about a real path: of those that hold it the one with the longest path as written; of equals
 * the one that refuses.
 */
export function findRule<R extends RealRule>(
  rules: readonly R[],
  real: string,
  platform: NodeJS.Platform,
): R | undefined {
  const {sep} = pathsOf(platform);
  const folded = fold(real, platform);
  const holding = rules.filter(
    (rule) => folded === rule.real || folded.startsWith(rule.real.endsWith(sep) ? rule.real : `${rule.real}${sep}`),
  );
  return holding.reduce<R | undefined>((a, b) => {
    if (!a || b.path.length > a.path.length) return b;
    return b.path.length === a.path.length && b.level === 'DO_NOT_TRUST' ? b : a;
  }, undefined);
}

/**
 * The real path of a folder; one that is not there is as it is written. Every start waits for this, and synchronous
 * looks are quicker.
 */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // It is not there.
    return path;
  }
}

/** The key of a folder in the file: absolute, with slashes, lower case where case does not count. */
export function keyOf(path: string, platform: NodeJS.Platform): string {
  return fold(path, platform).replaceAll('\\', platform === 'win32' ? '/' : '\\');
}

function fold(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return path.replaceAll('/', '\\').toLowerCase();
  return platform === 'darwin' ? path.toLowerCase() : path;
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
