import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Defaults} from './contract.js';
import type {RuleSet} from './rule.js';

/** The product's rules, as they were when the product was built. */
export interface PreparedRules {
  /** From this file to the folder that they lie in. */
  readonly folder: string;
  readonly files: readonly {readonly name: string; readonly text: string; readonly set: RuleSet}[];
}

/** Where the build keeps them: reading TOML takes longer than all the rest of a start. */
export function preparedFile(): string {
  return fileURLToPath(new URL('./prepared-rules.json', import.meta.url));
}

/**
 * Finds the folder of the product's rules. Where they lie as they did at the build, that is not looked up as packages
 * are, which takes 3 ms.
 */
export function findDefaults(): Defaults {
  const prepared = readPrepared();
  const near = join(dirname(preparedFile()), prepared.folder);
  const isNear = isAsPrepared(near, prepared);
  const known = new Map(prepared.files.map((one) => [one.name, one]));
  const read = (file: string): RuleSet | undefined => {
    const one = known.get(basename(file));
    return one && (isNear || readText(file) === one.text) ? placeSet(one.set, file) : undefined;
  };
  const placed = new Map<string, RuleSet | undefined>();
  return {
    folder: isNear ? near : defaultsFolder(),
    take({tier, file}) {
      if (tier !== 'default') return undefined;
      if (!placed.has(file)) placed.set(file, read(file));
      return placed.get(file);
    },
  };
}

/** The folder of the package with the product's rules. */
export function defaultsFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@gemini-kernel/policies/package.json'));
}

function isAsPrepared(folder: string, {files}: PreparedRules): boolean {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.toml'));
    return (
      files.length > 0 &&
      files.every(({name, text}) => readText(join(folder, name)) === text) &&
      names.every((name) => name.endsWith('.test.toml') || files.some((one) => one.name === name))
    );
  } catch {
    // No such folder: the package is somewhere else.
    return false;
  }
}

function placeSet({rules, checkers, problems}: RuleSet, file: string): RuleSet {
  const place = <T extends {readonly source: RuleSet['rules'][number]['source']}>(one: T): T => ({
    ...one,
    source: {...one.source, file},
  });
  return {
    rules: rules.map(place),
    checkers: checkers.map(place),
    problems: problems.map((problem) => ({...problem, file})),
  };
}

function readPrepared(): PreparedRules {
  const text = readText(preparedFile());
  return text === undefined ? {folder: '.', files: []} : (JSON.parse(text) as PreparedRules);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Then it is read like any other file, and what is wrong is said there.
    return undefined;
  }
}
