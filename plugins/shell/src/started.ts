import type {AttendedRequest} from './contract.js';
import type {KeptOutput} from './kept-output.js';
import type {Limits} from './limits.js';
import type {LiveOutput} from './live-output.js';
import type {RunningCommand} from './running-command.js';
import type {SandboxWatch} from './sandbox-questions.js';

/** A command that has been started, and what is known about it. */
export interface Started {
  readonly request: AttendedRequest;
  readonly running: RunningCommand;
  readonly kept: KeptOutput;
  readonly live: LiveOutput | undefined;
  readonly limits: Limits;
  readonly shown: number;
  readonly withheld: readonly string[];
  readonly hasTerminal?: true;
  /** Most memory of each of its processes, in megabytes. */
  readonly memory?: number;
  readonly beyond: SandboxWatch;
}
