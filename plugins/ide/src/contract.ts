import type {} from '@gemini-kernel/kernel';
import type {IdeInfo, OpenFile} from './protocol.js';

export type {ContextUpdate, DiscoveryFile, IdeInfo, OpenFile} from './protocol.js';

/** Why there is no connection. Each has a next step. */
export type IdeReason =
  /** `ide.enabled` is off. */
  | 'disabled'
  /** Nothing in the environment indicates an editor. */
  | 'no-editor'
  /** There is an editor, but no companion in it has written a discovery file or set its variables. */
  | 'no-discovery-file'
  /** There are discovery files, but none of them can be read or belongs to this user. */
  | 'discovery-file-unfit'
  /** Other editors have a companion, but they did not open this terminal and do not have this folder open. */
  | 'not-an-ancestor'
  /** The editor has no folder open. */
  | 'no-roots'
  /** The editor does not have the current folder open. */
  | 'roots-disjoint'
  /** Nothing listens on the port. */
  | 'port-refused'
  /** A program listens, but does not speak the protocol or does not answer in time. */
  | 'no-answer'
  | 'token-rejected'
  /** The companion speaks an unsupported version of the protocol. */
  | 'version-skew'
  /** Connected, but without openDiff and closeDiff: changes are confirmed in the terminal only. */
  | 'tools-missing'
  /** The connection broke; gemini tries to reconnect. */
  | 'lost';

/** The problem as a sentence, and what to do next. */
export interface IdeFault {
  readonly reason: IdeReason;
  readonly message: string;
  readonly hint: string;
}

/** How to reach a companion. */
export type IdeEndpoint =
  | {readonly kind: 'http'; readonly port: number; readonly token?: string}
  | {readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[]};

/** An editor that has a companion, found by a file or by variables. */
export interface FoundEditor {
  readonly source: 'file' | 'older-file' | 'variables';
  /** The discovery file. */
  readonly file?: string;
  /** The editor's process, if known. */
  readonly pid?: number;
  readonly isAncestor: boolean;
  /** False when the process is gone. */
  readonly isAlive: boolean;
  /** Real paths. */
  readonly roots: readonly string[];
  readonly info: IdeInfo;
  readonly endpoint: IdeEndpoint;
  /** The relation between the editor's folders and the current one. */
  readonly overlap: 'same' | 'inside-root' | 'holds-root' | 'disjoint' | 'no-roots' | 'unknown';
}

/** The result of discovery: the editors to try, the best first, or why there are none. */
export interface Discovery {
  readonly candidates: readonly FoundEditor[];
  /** Editors that are found but not tried, with the reason. */
  readonly others: readonly {readonly editor: FoundEditor; readonly fault: IdeFault}[];
  /** Files that were skipped, with the reason as a sentence. */
  readonly unfit: readonly {readonly file: string; readonly message: string}[];
  /** The editor that the terminal says it runs in, with or without a companion. */
  readonly detected?: IdeInfo;
  /** Why `candidates` is empty. */
  readonly fault?: IdeFault;
}

/** One step of `gemini ide doctor`. */
export interface IdeCheck {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'warning';
  readonly detail: string;
  readonly reason?: IdeReason;
  readonly hint?: string;
}

export interface IdeStatus {
  readonly state: 'disabled' | 'disconnected' | 'connecting' | 'connected';
  readonly editor?: FoundEditor;
  /** Name and version of the companion, as it reports them. */
  readonly server?: string;
  /** Why there is no connection, or what an existing connection lacks. */
  readonly fault?: IdeFault;
  /** Whether changes can be shown in the editor. */
  readonly canDiff: boolean;
  /** Whether the editor trusts its folders; undefined if it does not say. */
  readonly isTrusted?: boolean;
  readonly openFiles: readonly OpenFile[];
  /** Round trip time of the last ping, in milliseconds. */
  readonly pingMs?: number;
}

/** The person's answer to a change shown in the editor. */
export type DiffDecision = {readonly decision: 'accepted'; readonly text: string} | {readonly decision: 'rejected'};

/** What a call would write, for display in the editor. */
export interface ProposedChange {
  /** The id of the call. */
  readonly call: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** The text of a view when it was closed. */
export interface LeftText {
  /** Absent when the view had no text any more. */
  readonly text?: string;
  /** The editor did not report it. */
  readonly isUnknown?: boolean;
}

/** A change that is shown in the editor. */
export interface ShownDiff {
  /** Rejects when the connection is lost, the editor cannot show it, or it was closed. */
  readonly decided: Promise<DiffDecision>;
  /** Closes the view without a notification, and gives its text. Never rejects. */
  close(): Promise<LeftText>;
}

/** The connection to the person's editor, one per program. It reconnects automatically. */
export interface Ide {
  /** The current state, without waiting. */
  status(): Promise<IdeStatus>;
  /**
   * Connects if enabled, and gives the resulting state. Never throws because of an editor; `signal` cancels the wait.
   */
  connect(options?: {readonly signal?: AbortSignal; readonly anyway?: boolean}): Promise<IdeStatus>;
  disconnect(): Promise<void>;
  /** Looks for editors without connecting. */
  discover(): Promise<Discovery>;
  /** The files that are open now and may be shown to the model: newest first, existing ones only. */
  openFiles(): Promise<readonly OpenFile[]>;
  /** Round trip time in milliseconds; undefined without an answer. */
  ping(): Promise<number | undefined>;
  /**
   * Shows changes one after the other. Aborting the signal closes the view. Rejects with an Error that gives the
   * reason.
   */
  showDiff(change: ProposedChange, signal: AbortSignal): Promise<ShownDiff>;
  /** The text of the view of a call when it was closed; given once. */
  takeText(call: string): Promise<LeftText>;
}

/** What the model knows of the editor in this conversation. */
export interface EditorContext {
  /** What to report to the model now: everything at first, later what changed; undefined = nothing. */
  take(): Promise<string | undefined>;
  /** Forgets what was reported. */
  reset(): Promise<void>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    ide: Ide;
    'editor-context': EditorContext;
  }
}
