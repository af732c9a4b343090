/** A file that is open in the editor, as a companion reports it. */
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

/** How an editor identifies itself. */
export interface IdeInfo {
  /** Short name, for programs: `vscode`. */
  readonly name: string;
  readonly displayName: string;
}

/** The content of `gemini-ide-server-<pid>-<port>.json`. */
export interface DiscoveryFile {
  readonly port: number | string;
  /** Folders, joined as in PATH. */
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

/** The tools of a companion. Showing changes in the editor needs both. */
export const diffTools = {open: 'openDiff', close: 'closeDiff'} as const;

/** Limits that apply to both sides. */
export const limits = {
  files: 10,
  selectionCharacters: 16_384,
  debounceMs: 50,
  pingMs: 60_000,
  requestMs: 600_000,
} as const;

/** Marks where a selection was cut. */
export const TRUNCATED = '... [TRUNCATED]';

/** The folder below the system's temporary folder. */
export const DISCOVERY_FOLDER = ['gemini', 'ide'] as const;

/** The name of a discovery file; without a port it is the older form. */
export const DISCOVERY_NAME = /^gemini-ide-server-(\d+)(?:-(\d+))?\.json$/;

/** The variables that a companion sets in the editor's terminals, and that gemini reads. */
export const variables = {
  port: 'GEMINI_CLI_IDE_SERVER_PORT',
  workspacePath: 'GEMINI_CLI_IDE_WORKSPACE_PATH',
  authToken: 'GEMINI_CLI_IDE_AUTH_TOKEN',
  stdioCommand: 'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
  stdioArgs: 'GEMINI_CLI_IDE_SERVER_STDIO_ARGS',
  pid: 'GEMINI_CLI_IDE_PID',
} as const;
