import type {useValidators} from '@gemini-kernel/kernel/host';
import type {Carried} from './import-file.js';

/** What `bin/gemini.cjs` starts: one command line of this program. */
export interface Program {
  /** Folder of this program. */
  readonly root: string;
  readonly argv: readonly string[];
  /** Lets oclif find everything on its own; for comparing both ways. */
  readonly stock: boolean;
  /** Modules that are in the bundle, by their path below `root`. */
  readonly carried: Carried;
  /** Validators of the schemas that the build knew. */
  readonly validators?: Parameters<typeof useValidators>[0];
}
