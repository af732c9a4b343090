export interface OpenFile {
  readonly path: string;
  readonly timestamp: number;
  readonly isActive?: boolean;
  readonly selectedText?: string;
  readonly cursor?: {
    readonly line: number;
    readonly character: number;
  };
}
export interface ContextUpdate {
  readonly workspaceState?: {
    readonly openFiles?: readonly OpenFile[];
    readonly isTrusted?: boolean;
  };
}
export interface IdeInfo {
  readonly name: string;
  readonly displayName: string;
}
export interface DiscoveryFile {
  readonly port: number | string;
  readonly workspacePath: string;
  readonly authToken?: string;
  readonly ideInfo?: IdeInfo;
  readonly stdio?: {
    readonly command: string;
    readonly args?: readonly string[];
  };
}
export declare const notifications: {
  readonly contextUpdate: 'ide/contextUpdate';
  readonly diffAccepted: 'ide/diffAccepted';
  readonly diffRejected: 'ide/diffRejected';
  readonly diffClosed: 'ide/diffClosed';
};
export declare const diffTools: {
  readonly open: 'openDiff';
  readonly close: 'closeDiff';
};
export declare const limits: {
  readonly files: 10;
  readonly selectionCharacters: 16384;
  readonly debounceMs: 50;
  readonly pingMs: 60000;
  readonly requestMs: 600000;
};
export declare const TRUNCATED = '... [TRUNCATED]';
export declare const DISCOVERY_FOLDER: readonly ['gemini', 'ide'];
export declare const DISCOVERY_NAME: RegExp;
export declare const variables: {
  readonly port: 'GEMINI_CLI_IDE_SERVER_PORT';
  readonly workspacePath: 'GEMINI_CLI_IDE_WORKSPACE_PATH';
  readonly authToken: 'GEMINI_CLI_IDE_AUTH_TOKEN';
  readonly stdioCommand: 'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND';
  readonly stdioArgs: 'GEMINI_CLI_IDE_SERVER_STDIO_ARGS';
  readonly pid: 'GEMINI_CLI_IDE_PID';
};
