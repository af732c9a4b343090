import type {HookInfo} from '../contract.js';

/** A hook as it is configured, with what only its process needs. */
export interface ConfiguredHook extends HookInfo {
  /** An administrator or a bundle installed it: no person or project disables it, and exit code 1 is a failure. */
  readonly isManaged: boolean;
  /** Whether `failure` is written, or follows from who installed it. */
  readonly isDeclared: boolean;
  readonly variables: Readonly<Record<string, string>>;
}
