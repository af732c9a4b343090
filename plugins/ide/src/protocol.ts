/** A file that is open in the editor, as a companion tells of it. */
export interface OpenFile {
  /** Absolute. */
  readonly path: string;
  /** When the person last looked at it, in milliseconds since 1970. */
  readonly timestamp: number;
  readonly isActive?: boolean;
  readonly selectedText?: string;
  /** Both count from 1. */
  readonly cursor?: {readonly line: number; readonly character: number};
}

/** The parameters of `ide/contextUpdate`. */
export interface ContextUpdate {
  readonly workspaceState?: {
    readonly openFiles?: readonly OpenFile[];
    /** Whether the editor trusts its folders. */
    readonly isTrusted?: boolean;
  };
}

/** How an editor calls itself. */
export interface IdeInfo {
  /** Short, for programs: `vscode`. */
  readonly name: string;
  readonly displayName: string;
}

/** The content of `gemini-ide-server-<pid>-<port>.json`. */
export interface DiscoveryFile {
  readonly port: number | string;
  /** Folders, joined as PATH is. */
  readonly workspacePath: string;
  readonly authToken?: string;
  readonly ideInfo?: IdeInfo;
  readonly stdio?: {readonly command: string; readonly args?: readonly string[]};
}

/** The notifications of a companion. */
export const notifications = {
  contextUpdate: 'ide/contextUpdate',
  diffAccepted: 'ide/diffAccepted',
  diffRejected: 'ide/diffRejected',
  /** Of older companions: the same as rejected. */
  diffClosed: 'ide/diffClosed',
} as const;

/** The tools of a companion. Both are needed before changes are shown in the editor. */
export const diffTools = {open: 'openDiff', close: 'closeDiff'} as const;

/** Limits that both sides keep. */
export const limits = {
  files: 10,
  selectionCharacters: 16_384,
  debounceMs: 50,
  pingMs: 60_000,
  requestMs: 600_000,
} as const;

/** What stands where a selection was cut. */
export const TRUNCATED = '... [TRUNCATED]';

/** Below the system's temporary folder. */
export const DISCOVERY_FOLDER = ['gemini', 'ide'] as const;

/** The name of a discovery file; without a port it is the older form. */
export const DISCOVERY_NAME = /^gemini-ide-server-(\d+)(?:-(\d+))?\.json$/;

/** The variables that a companion sets in the terminals that it opens, and that this side reads. */
export const variables = {
  port: 'GEMINI_CLI_IDE_SERVER_PORT',
  workspacePath: 'GEMINI_CLI_IDE_WORKSPACE_PATH',
  authToken: 'GEMINI_CLI_IDE_AUTH_TOKEN',
  stdioCommand: 'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
  stdioArgs: 'GEMINI_CLI_IDE_SERVER_STDIO_ARGS',
  pid: 'GEMINI_CLI_IDE_PID',
} as const;
