import type {} from '@gemini-kernel/kernel';

/** A command and what bounds it. */
export interface CommandRequest {
  readonly command: string;
  /** Absolute and real. */
  readonly directory: string;
  /** Written to the command's standard input; without it there is nothing to read. */
  readonly stdin?: string | undefined;
  /** Milliseconds that it may run, and that it may run without output; 0 = no limit; absent = as the settings say. */
  readonly timeoutMs?: number | undefined;
  readonly inactivityMs?: number | undefined;
}

/** What a command printed, as far as it is shown. */
export interface ShownOutput {
  /** Without escape sequences and secrets; of long output the beginning and the end. */
  readonly text: string;
  /** `binary`: the text only says so. */
  readonly encoding: string;
  readonly bytes: number;
  readonly omittedBytes: number;
  readonly omittedLines: number;
}

/** How a command ended. */
export interface CommandEnd {
  readonly exitCode: number | null;
  /** Name of the signal that ended it. */
  readonly signal: NodeJS.Signals | null;
  /** Who ended it: itself, a limit, or whoever stopped it. */
  readonly by: 'itself' | 'timeout' | 'inactivity' | 'stop';
  /** What it left running in its process group or session. */
  readonly survivors: readonly number[];
}

/** A command that has ended. */
export interface FinishedCommand extends CommandEnd {
  /** Its process and its process group. */
  readonly pid: number;
  readonly output: ShownOutput;
  /** Secret variables that it did not see although it, or its output, names them. */
  readonly missed: readonly string[];
  /** The limits it had, in milliseconds. */
  readonly limits: {readonly timeoutMs: number; readonly inactivityMs: number};
}

/** A command that goes on in the background. */
export interface StartedCommand {
  readonly isRunning: true;
  readonly pid: number;
  readonly output: ShownOutput;
}

/** A command in the background. */
export interface BackgroundProcess {
  readonly pid: number;
  readonly command: string;
  /** Absent while it runs. */
  readonly end?: CommandEnd;
}

/** Who watches a command from within this process. */
export interface CommandWatch {
  /** Stops the command; its reason is then thrown. */
  readonly signal: AbortSignal;
  /** New output, now and then, and how many bytes there were so far. */
  progress?(update: {readonly text: string; readonly done: number}): void;
}

/** The commands of one session. All are stopped when it closes, and when this program dies in whatever way. */
export interface Processes {
  /** Runs a command to its end. Throws ToolErrors when it cannot start. */
  run(request: CommandRequest, watch: CommandWatch): Promise<FinishedCommand>;
  /** Starts a command that goes on in the background; gives its end when that comes within `delayMs`. */
  start(request: CommandRequest, delayMs: number, watch: CommandWatch): Promise<FinishedCommand | StartedCommand>;
  /** The background processes of this session, the newest last. */
  list(): Promise<readonly BackgroundProcess[]>;
  /** The last lines a background process printed. Throws ToolError PROCESS_UNKNOWN. */
  read(pid: number, options: {readonly lines: number}): Promise<BackgroundProcess & {readonly output: ShownOutput}>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    processes: Processes;
  }
}
