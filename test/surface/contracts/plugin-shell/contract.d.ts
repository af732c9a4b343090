import type { Progress, ToolCall } from '@gemini-kernel/kernel';
import type { Grant } from '@gemini-kernel/plugin-sandbox/contract';
export interface CommandRequest {
  readonly command: string;
  readonly directory: string;
  readonly stdin?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly inactivityMs?: number | undefined;
  readonly grants?: readonly Grant[] | undefined;
  readonly call?: ToolCall | undefined;
}
export interface AttendedRequest extends CommandRequest {
  readonly wantsTerminal?: boolean | undefined;
}
export interface ShownOutput {
  readonly text: string;
  readonly encoding: string;
  readonly bytes: number;
  readonly omittedBytes: number;
  readonly omittedLines: number;
}
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly by: 'itself' | 'timeout' | 'inactivity' | 'stop';
  readonly survivors: readonly number[];
}
export interface RefusedPath {
  readonly path: string;
  readonly access: 'write';
  readonly fault?: string;
}
export interface FinishedCommand extends CommandEnd {
  readonly pid: number;
  readonly output: ShownOutput;
  readonly missed: readonly string[];
  readonly refusedHosts?: readonly string[];
  readonly refusedPaths?: readonly RefusedPath[];
  readonly memoryLimit?: number;
  readonly limits: {
    readonly timeoutMs: number;
    readonly inactivityMs: number;
  };
}
export interface StartedCommand {
  readonly isRunning: true;
  readonly pid: number;
  readonly output: ShownOutput;
}
export interface BackgroundProcess {
  readonly pid: number;
  readonly command: string;
  readonly end?: CommandEnd;
  readonly hasTerminal?: true;
}
export interface ForegroundCommand {
  readonly pid: number;
  readonly command: string;
  readonly hasTerminal: boolean;
}
export interface CommandWatch {
  readonly signal: AbortSignal;
  progress?(
    update: Progress & {
      readonly done: number;
    },
  ): void;
}
export interface Processes {
  run(request: CommandRequest, watch: CommandWatch): Promise<FinishedCommand>;
  start(request: CommandRequest, delayMs: number, watch: CommandWatch): Promise<FinishedCommand | StartedCommand>;
  attend(request: AttendedRequest, watch: CommandWatch): Promise<FinishedCommand | StartedCommand>;
  foreground(): Promise<readonly ForegroundCommand[]>;
  detach(): Promise<readonly BackgroundProcess[]>;
  offerKeyboard(window: { readonly columns: number; readonly rows: number }): Promise<void>;
  type(pid: number, text: string): Promise<void>;
  stop(pid: number): Promise<BackgroundProcess>;
  list(): Promise<readonly BackgroundProcess[]>;
  read(
    pid: number,
    options: {
      readonly lines: number;
    },
  ): Promise<
    BackgroundProcess & {
      readonly output: ShownOutput;
    }
  >;
}
declare module '@gemini-kernel/kernel' {
  interface Progress {
    readonly raw?: string;
    readonly isCut?: true;
  }
  interface Services {
    processes: Processes;
  }
}
