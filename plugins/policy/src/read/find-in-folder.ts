import {readdirSync, statSync} from 'node:fs';
import type {PlatformPath} from 'node:path';
import {isAbsent} from '@gemini-kernel/files';
import type {Problem, Tier} from '../rule.js';
import type {NamedPath} from './named-paths.js';
import {systemCodeOf} from './system-code.js';

/** A file that is there, or was when it was looked for. */
export interface FoundFile {
  readonly tier: Tier;
  readonly file: string;
  readonly label: string;
  /** As in `RuleSource`. */
  readonly tightens?: true;
  /** What its bytes must come to. */
  readonly digest?: string;
}

/** A folder or a file that is looked for. */
export interface Asked {
  readonly tier: Tier;
  readonly path: string;
  /** What its files are called by in front of their names. */
  readonly name: string;
  /** Whether it may be missing; then it is a folder. */
  readonly isOptional?: boolean;
  readonly origin?: NamedPath['origin'];
  readonly tightens?: true;
  readonly digest?: string;
}

/** What was found, and what is wrong with what was not. */
export interface FoundInFolder {
  readonly files: readonly FoundFile[];
  readonly problems: readonly Problem[];
}

/**
 * What is named must be there, and what is there must be read whole: a rule that went missing would let more through.
 */
export function findInFolder(asked: Asked, paths: PlatformPath): FoundInFolder {
  const {isOptional, tier, path} = asked;
  return isOptional && tier !== 'user' && isAbsent(path) ? {files: [], problems: []} : look(asked, paths);
}

function look(
  {tier, path, name, isOptional = false, origin, tightens, digest}: Asked,
  {join, basename}: PlatformPath,
): FoundInFolder {
  const found = (file: string): FoundFile => ({
    tier,
    file,
    label: `${name}: ${basename(file)}`,
    ...(tightens ? {tightens} : {}),
    ...(digest ? {digest} : {}),
  });
  const fail = (message: string): FoundInFolder => ({
    files: [],
    problems: [{severity: 'error', tier, file: path, message, ...hintOf(origin)}],
  });
  try {
    const stats = statSync(path);
    if (stats.isFile() && !isOptional) return {files: [found(path)], problems: []};
    if (!stats.isDirectory())
      return fail(isOptional ? `${path} is not a folder.` : `${path} is neither a file nor a folder.`);
    return {
      files: readdirSync(path)
        .filter((one) => one.endsWith('.toml'))
        .sort()
        .map((one) => found(join(path, one))),
      problems: [],
    };
  } catch (error) {
    const code = systemCodeOf(error);
    if (isOptional && isNothing(path, {code, tier})) return {files: [], problems: []};
    return fail(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `There are no rules at ${path}.`
        : `The rules in ${path} cannot be read (${code}).`,
    );
  }
}

/**
 * Whether there is no folder, and no link in its place either. A project may have a file named .gemini; in the home
 * directory it hides rules.
 */
function isNothing(path: string, {code, tier}: {readonly code: string; readonly tier: Tier}): boolean {
  if (code === 'ENOTDIR') return tier !== 'user';
  return code === 'ENOENT' && isAbsent(path);
}

function hintOf(origin: NamedPath['origin'] | undefined): Pick<Problem, 'hint'> {
  if (origin === undefined) return {};
  return {hint: origin === 'flag' ? 'Correct the path that was given.' : 'Correct or remove the path in the settings.'};
}
