import type {Entry} from '../config/compose-entry.js';

/** A server in the configuration of another program, as an entry of `mcpServers`. */
export interface FoundServer {
  readonly name: string;
  readonly entry: Entry;
  /** Sentences about what could not be taken as it is. */
  readonly notes: readonly string[];
}

/** The configuration of another program. */
export interface Format {
  /** The program. */
  readonly program: string;
  /** Where its files are. */
  files(place: {readonly home: string; readonly cwd: string}): readonly string[];
  /** Whether a file that a person names is one of these. */
  matches(file: string): boolean;
  /** Reads its text. Throws an Error whose message ends a sentence. */
  read(text: string, place: {readonly cwd: string}): Promise<readonly FoundServer[]> | readonly FoundServer[];
}
