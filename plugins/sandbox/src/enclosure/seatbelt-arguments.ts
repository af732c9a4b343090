import {MOST_INCLUDED} from './seatbelt-profiles.js';

/** Everything about one start by sandbox-exec. Paths are absolute and real. */
export interface SeatbeltRequest {
  /** The text of the profile. */
  readonly profile: string;
  readonly cwd: string;
  readonly temporary: string;
  readonly home: string;
  readonly caches: string;
  /** Directories that were added at the start, at most five. */
  readonly included: readonly string[];
  /** The program of gemini, and its words. */
  readonly words: readonly string[];
}

/** The arguments of sandbox-exec. Without a shell: words stay words. */
export function seatbeltArguments(request: SeatbeltRequest): readonly string[] {
  const {profile, cwd, temporary, home, caches, included, words} = request;
  const parameters = {
    TARGET_DIR: cwd,
    TMP_DIR: temporary,
    HOME_DIR: home,
    CACHE_DIR: caches,
    ...Object.fromEntries(
      Array.from({length: MOST_INCLUDED}, (_, index) => [`INCLUDE_DIR_${index}`, included[index] ?? '/dev/null']),
    ),
  };
  return [
    ...Object.entries(parameters).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ...['-p', profile],
    ...words,
  ];
}
