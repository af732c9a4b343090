import type {IgnoreOptions} from '@gemini-kernel/plugin-workspace/contract';
import type {EngineInfo} from '../contract.js';
import type {LinePattern} from '../pattern/line-pattern.js';

/** One place to look in. Paths hold bytes that are no UTF-8 as `decodeBytes` does. */
export interface Place {
  /** Real path of a directory, or of one file. */
  readonly path: string;
  readonly isFile: boolean;
  /** The workspace directory that it lies in, or is. */
  readonly root: string;
  /**
   * The directories that patterns of files start from, each `path` or one above it: a file is meant when it is from any
   * of them.
   */
  readonly bases: readonly [string, ...string[]];
}

/** Which files are meant. Paths are relative to a base of the place, with `/` between names. */
export interface FileTest {
  matches(relative: string): boolean;
  /**
   * A glob that the last name of every file that matches has, in ASCII letters, digits, `*?.-_[]{},` only: lets an
   * engine leave out the others early.
   */
  readonly nameGlob?: string;
}

export interface WalkRequest {
  /**
   * In path order, none twice. One that lies inside another is searched for itself, and not entered on the way through
   * that one.
   */
  readonly places: readonly Place[];
  /** False: ignore files do not count. */
  readonly ignore: IgnoreOptions | false;
  /** Names of directories that are left out, whatever the ignore files say. A place itself never is. */
  readonly withoutFolders: readonly string[];
  /** Endings of names of files that are left out. */
  readonly withoutEndings: readonly string[];
  /** All when left out. A file that is a place is always meant. */
  readonly wants?: FileTest;
}

/** What came of a walk. */
export interface Walked {
  /**
   * Files and directories that exist and could not be read, in path order; of an engine none when a limit ended the
   * walk early. A directory of the workspace that is gone is among them.
   */
  readonly unreadable: readonly string[];
}

export interface LineMatch {
  /** From 1. */
  readonly number: number;
  /** As `cutLine` gives it. */
  readonly text: string;
}

export interface FileMatches {
  readonly path: string;
  /** In order; at least one. */
  readonly lines: readonly LineMatch[];
}

export interface MatchRequest extends WalkRequest {
  readonly pattern: LinePattern;
  /** A line that this one fits does not count. */
  readonly except?: LinePattern;
  /** The first so many lines of each file. */
  readonly mostPerFile: number;
  /** The first so many lines in all, in path order. */
  readonly most: number;
  readonly signal: AbortSignal;
  /** Given files as they are found, in any order; says which of them may be shown. Those that may not do not count. */
  accept(files: readonly FileMatches[]): Promise<readonly FileMatches[]>;
}

export interface Matched extends Walked {
  /** In path order. The last one may have fewer lines than its file. */
  readonly files: readonly FileMatches[];
  /** Whether there are more lines than were to be given. */
  readonly isLimited: boolean;
}

/**
 * Finds files and lines. Every engine gives the same answers in the same order:
 *
 * - Symbolic links are neither followed nor listed. Hidden files count, devices and pipes do not. What vanishes
 *   meanwhile was not there.
 * - A file with a zero byte in its first 64 KiB is binary: none of its lines match. One with a zero byte later is
 *   searched up to there, or up to what was read together with it, 64 KiB at most.
 * - Text is UTF-8, or UTF-16 when a byte order mark says so; the mark is no part of the first line. Lines end with
 *   `\n`; a `\r` at the end of one is no part of it.
 * - Paths are in order when their names are, one after the other, byte by byte, folders and files mixed.
 */
export interface Engine {
  readonly info: EngineInfo;
  /** Lists files, in any order, a few at a time. */
  list(request: WalkRequest & {readonly signal: AbortSignal; onPaths(paths: readonly string[]): void}): Promise<Walked>;
  /** Whether it knows all that the pattern uses. */
  canMatch(pattern: LinePattern): boolean;
  /**
   * Reads no more of the places than the answer needs. Throws EngineRefused when the request turns out to be beyond it.
   */
  match(request: MatchRequest): Promise<Matched>;
}

/** An engine cannot do what it was asked, and another one may. */
export class EngineRefused extends Error {}
