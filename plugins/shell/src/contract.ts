import type {Progress, ToolCall} from '@gemini-kernel/kernel';
import type {Grant} from '@gemini-kernel/plugin-sandbox/contract';

/** A command and its limits. */
export interface CommandRequest {
  readonly command: string;
  /** Absolute and real. */
  readonly directory: string;
  /** Written to the command's standard input; without it the input is empty. */
  readonly stdin?: string | undefined;
  /** How many milliseconds it may run, and run without output; 0 = no limit; absent = as configured. */
  readonly timeoutMs?: number | undefined;
  readonly inactivityMs?: number | undefined;
  /** What the sandbox lets it reach in addition, as it was approved. */
  readonly grants?: readonly Grant[] | undefined;
  /** The call that it belongs to: the rules that let it pass may grant something. */
  readonly call?: ToolCall | undefined;
}

/** A command that a person may watch, and perhaps type into. */
export interface AttendedRequest extends CommandRequest {
  /** Whether it gets a terminal, if `offerKeyboard` was called and the system has one to give. */
  readonly wantsTerminal?: boolean | undefined;
}

/** The output of a command, as far as it is shown. */
export interface ShownOutput {
  /** Without escape sequences and secrets; the beginning and the end of long output. */
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
  /** What ended it: the command itself, a limit, or a stop. */
  readonly by: 'itself' | 'timeout' | 'inactivity' | 'stop';
  /** Processes that it left running in its process group or session. */
  readonly survivors: readonly number[];
}

/** A path that the sandbox kept a command from writing. */
export interface RefusedPath {
  /** For something new, the folder that would hold it. */
  readonly path: string;
  readonly access: 'write';
  /** Why nothing can grant it; absent where something can. */
  readonly fault?: string;
}

/** A finished command. */
export interface FinishedCommand extends CommandEnd {
  /** Its process and its process group. */
  readonly pid: number;
  readonly output: ShownOutput;
  /** Secret variables that were withheld although the command, or its output, names them. */
  readonly missed: readonly string[];
  /** Hosts that the sandbox kept from it, as a grant would name them; absent where it kept none. */
  readonly refusedHosts?: readonly string[];
  /** Paths that the sandbox kept it from writing; absent where it kept none, or where the system cannot tell. */
  readonly refusedPaths?: readonly RefusedPath[];
  /** Most memory of each of its processes in the sandbox, in megabytes; absent without a limit. */
  readonly memoryLimit?: number;
  /** The limits it had, in milliseconds. */
  readonly limits: {readonly timeoutMs: number; readonly inactivityMs: number};
}

/** A command that continues in the background. */
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
  /** Whether a person can type into it. */
  readonly hasTerminal?: true;
}

/** A command that its call waits for. */
export interface ForegroundCommand {
  readonly pid: number;
  readonly command: string;
  /** Whether a person can type into it. */
  readonly hasTerminal: boolean;
}

/** How code in this process follows a command. */
export interface CommandWatch {
  /** Stops the command, which then rejects with its reason. */
  readonly signal: AbortSignal;
  /** New output, at intervals, and the number of bytes so far. */
  progress?(update: Progress & {readonly done: number}): void;
}

/** The commands of one session. All are stopped when it closes, and when this program dies for any reason. */
export interface Processes {
  /** Runs a command until it ends. Throws ToolErrors when it cannot start. */
  run(request: CommandRequest, watch: CommandWatch): Promise<FinishedCommand>;
  /** Starts a command that continues in the background; returns its end if that comes within `delayMs`. */
  start(request: CommandRequest, delayMs: number, watch: CommandWatch): Promise<FinishedCommand | StartedCommand>;
  /** Runs a command until it ends, or until `detach` sends it to the background. */
  attend(request: AttendedRequest, watch: CommandWatch): Promise<FinishedCommand | StartedCommand>;
  /** The commands of `attend` that have not ended. */
  foreground(): Promise<readonly ForegroundCommand[]>;
  /**
   * Sends them to the background, without the limits of the settings, and gives them. A notice reports the end of each.
   */
  detach(): Promise<readonly BackgroundProcess[]>;
  /** A person is there who can type into commands, in a window of this size. Counts for commands that start later. */
  offerKeyboard(window: {readonly columns: number; readonly rows: number}): Promise<void>;
  /** Types into a command with a terminal. Throws ToolErrors PROCESS_UNKNOWN and TERMINAL_NONE. */
  type(pid: number, text: string): Promise<void>;
  /** Ends a background process and what it started. Throws ToolError PROCESS_UNKNOWN. */
  stop(pid: number): Promise<BackgroundProcess>;
  /** The background processes of this session, newest last. */
  list(): Promise<readonly BackgroundProcess[]>;
  /** The last lines that a background process, or a command of `attend`, printed. Throws ToolError PROCESS_UNKNOWN. */
  read(pid: number, options: {readonly lines: number}): Promise<BackgroundProcess & {readonly output: ShownOutput}>;
}

declare module '@gemini-kernel/kernel' {
  interface Progress {
    /**
     * Output as the command wrote it, without secrets but with its control sequences; absent where it is `text`. Those
     * that a terminal may obey must be chosen before it gets them.
     */
    readonly raw?: string;
    /** Output just before it was left out, because there was too much at once. */
    readonly isCut?: true;
  }
  interface Services {
    processes: Processes;
  }
}
