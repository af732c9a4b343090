import {brand} from './brand.js';

/** A command-line flag that commands of the product accept and that sets one settings key for this run. */
export interface FlagSpec {
  readonly description: string;
  readonly type: 'string' | 'boolean';
  readonly char?: string;
  /** May be given several times, and split at commas; the value is a list. */
  readonly multiple?: boolean;
  readonly options?: readonly string[];
  /** Ids of the commands that take it (`chat`); without it all do. */
  readonly commands?: readonly string[];
  /** What a string flag sets when it is given without a value. */
  readonly bare?: string;
  /** What a boolean flag sets instead of true. */
  readonly value?: unknown;
  /** The settings key this flag sets, such as `context.includeDirectories`. */
  readonly setting: string;
}

export type Flag = FlagSpec & {readonly name: string};

/** Adds a flag; the default export of a file in `src/flags/`. */
export function defineFlag(name: string, spec: FlagSpec): Flag {
  return brand({name, ...spec}, 'flag');
}
