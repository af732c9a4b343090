import {isFileFault, readText} from '@gemini-kernel/files';
import type {Tell} from '@gemini-kernel/kernel';
import {systemCode, systemReason} from './real-path.js';
import {statsOf} from './stats.js';
import {compileWildcard, foldCase} from './wildcard.js';

/** One line of an ignore file. */
export interface Rule {
  /** As written, without trailing spaces. */
  readonly pattern: string;
  readonly line: number;
  /** A `!` line: includes again what a weaker line ignored. */
  readonly isNegated: boolean;
  readonly isForDirectories: boolean;
  /** `name` is the last segment of `path`, both as `asMatched` gives them. */
  matches(path: string, name: string): boolean;
}

/** How rules compare paths and patterns: byte by byte, as git does, and case-folded where case does not matter. */
export function asMatched(text: string, ignoreCase: boolean): string {
  const bytes = /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1');
  return ignoreCase ? foldCase(bytes) : bytes;
}

/** The rules of an ignore file in gitignore syntax, in file order. */
export function parseIgnoreFile(text: string, ignoreCase: boolean): readonly Rule[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => (line.startsWith('#') ? [] : (parseRule(line, index + 1, ignoreCase) ?? [])));
}

function parseRule(written: string, line: number, ignoreCase: boolean): Rule | undefined {
  const pattern = trimTrailingSpaces(written.replace(/\r$/, '').replace(/\0.*$/s, ''));
  const isNegated = pattern.startsWith('!');
  const isForDirectories = pattern.endsWith('/');
  const body = pattern.slice(isNegated ? 1 : 0, isForDirectories ? -1 : undefined);
  if (body === '') return undefined;
  const isPath = body.includes('/');
  const glob = asMatched(body.replace(/^\//, ''), false);
  const matcher = compile(glob, isPath, ignoreCase);
  const matches: Rule['matches'] = isPath ? (path) => matcher(path) : (_, name) => matcher(name);
  return {pattern, line, isNegated, isForDirectories, matches};
}

function compile(glob: string, acrossFolders: boolean, ignoreCase: boolean): (text: string) => boolean {
  // Most lines are a plain name or `*.ending`.
  const plain = ignoreCase ? foldCase(glob) : glob;
  if (!/[*?[\\]/.test(plain)) return (text) => text === plain;
  if (!acrossFolders && /^\*[^*?[\\]+$/.test(plain)) return (text) => text.endsWith(plain.slice(1));
  return compileWildcard(glob, {acrossFolders, ignoreCase});
}

/** A backslash keeps the space after it. */
function trimTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === ' ') continue;
    if (line[at] === '\\') at += 1;
    end = at + 1;
  }
  return line.slice(0, end);
}

/** Reads ignore files, each one again only when it has changed. */
export class IgnoreFiles {
  readonly #known = new Map<string, {readonly stamp: string; readonly rules: readonly Rule[]}>();
  readonly #odd = new Set<string>();

  constructor(private readonly tell: Tell) {}

  /**
   * The rules of a file; empty when it is missing, or (with a warning) not a file or unreadable. Git does not follow a
   * link at `.gitignore`.
   */
  async read(
    path: string,
    {followsLink, ignoreCase}: {followsLink: boolean; ignoreCase: boolean},
  ): Promise<readonly Rule[]> {
    const stats = await statsOf(path, {followsLink});
    if (stats?.isFile() === false) this.#odd.add(path);
    if (stats === undefined || stats.isSymbolicLink()) return [];
    const stamp = [stats.mtimeMs, stats.ctimeMs, stats.size, stats.ino, ignoreCase].join();
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.rules;
    try {
      const rules = parseIgnoreFile(await readText(path), ignoreCase);
      this.#known.set(path, {stamp, rules});
      return rules;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      const reason = isFileFault(error) ? error.reason : systemReason(error);
      this.complain(`Ignoring the file ${path}, because it cannot be read: ${reason}.`);
      return [];
    }
  }

  /** Whether a path is something other than a file: other programs may follow it, or wait for it. */
  isOdd(path: string): boolean {
    return this.#odd.has(path);
  }

  /** Warns once per subject. */
  complain(sentence: string): void {
    this.tell({code: 'IGNORE_FILE_UNREADABLE', sentence, once: sentence});
  }
}
