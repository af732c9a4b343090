import type {} from '@gemini-kernel/kernel';
import type {IdeInfo, OpenFile} from './protocol.js';

export type {ContextUpdate, DiscoveryFile, IdeInfo, OpenFile} from './protocol.js';

/** Why there is no connection. Each has a next step. */
export type IdeReason =
  /** `ide.enabled` is off. */
  | 'disabled'
  /** Nothing around says that an editor is there. */
  | 'no-editor'
  /** There is an editor, but no companion in it has written a discovery file or set its variables. */
  | 'no-discovery-file'
  /** Discovery files are there, but none can be read or belongs to this person. */
  | 'discovery-file-unfit'
  /** Only editors that this terminal was not opened by have a companion, and none of them has this folder open. */
  | 'not-an-ancestor'
  /** The editor has no folder open. */
  | 'no-roots'
  /** The editor has other folders open than the one this program was started in. */
  | 'roots-disjoint'
  /** Nobody listens on the port. */
  | 'port-refused'
  /** Somebody listens who does not speak the protocol, or answers nothing in time. */
  | 'no-answer'
  | 'token-rejected'
  /** The companion speaks a version of the protocol that this program does not. */
  | 'version-skew'
  /** Connected, but without openDiff and closeDiff: changes are confirmed in the terminal only. */
  | 'tools-missing'
  /** It was there and is gone; it is tried again. */
  | 'lost';

/** What is the matter, as a sentence, and what to do next. */
export interface IdeFault {
  readonly reason: IdeReason;
  readonly message: string;
  readonly hint: string;
}

/** How a companion can be reached. */
export type IdeEndpoint =
  | {readonly kind: 'http'; readonly port: number; readonly token?: string}
  | {readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[]};

/** An editor that has a companion, found by a file or by variables. */
export interface FoundEditor {
  readonly source: 'file' | 'older-file' | 'variables';
  /** The discovery file. */
  readonly file?: string;
  /** The editor's process, where it is known. */
  readonly pid?: number;
  readonly isAncestor: boolean;
  /** False when the process is gone. */
  readonly isAlive: boolean;
  /** Real paths. */
  readonly roots: readonly string[];
  readonly info: IdeInfo;
  readonly endpoint: IdeEndpoint;
  /** How its folders and the current one lie to each other. */
  readonly overlap: 'same' | 'inside-root' | 'holds-root' | 'disjoint' | 'no-roots' | 'unknown';
}

/** What looking around came to: editors that can be tried, the best first, or why there is none. */
export interface Discovery {
  readonly candidates: readonly FoundEditor[];
  /** Those that were found and are not tried, with the reason. */
  readonly others: readonly {readonly editor: FoundEditor; readonly fault: IdeFault}[];
  /** Files that were left out, with the reason as a sentence. */
  readonly unfit: readonly {readonly file: string; readonly message: string}[];
  /** What the terminal says that it runs in, whether or not it has a companion. */
  readonly detected?: IdeInfo;
  /** Why `candidates` is empty. */
  readonly fault?: IdeFault;
}

/** One step on the way to an editor, as `gemini ide doctor` shows it. */
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
  /** Name and version of the companion, as it gives them. */
  readonly server?: string;
  /** Why it is not connected, or what is missing though it is. */
  readonly fault?: IdeFault;
  /** Whether changes can be shown in the editor. */
  readonly canDiff: boolean;
  /** What the editor says of its folders; undefined = nothing. */
  readonly isTrusted?: boolean;
  readonly openFiles: readonly OpenFile[];
  /** Round trip of the last question, in milliseconds. */
  readonly pingMs?: number;
}

/** What a person did with a change that was shown in the editor. */
export type DiffDecision = {readonly decision: 'accepted'; readonly text: string} | {readonly decision: 'rejected'};

/** What a call would write, for the editor to show. */
export interface ProposedChange {
  /** The id of the call. */
  readonly call: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** What stood in a view when it was closed. */
export interface LeftText {
  /** Absent when nothing stood there any more. */
  readonly text?: string;
  /** The editor did not say. */
  readonly isUnknown?: boolean;
}

/** A change on show in the editor. */
export interface ShownDiff {
  /** Rejects when the connection is lost, the editor cannot show it, or it was closed. */
  readonly decided: Promise<DiffDecision>;
  /** Closes it without a word to anybody, and says what stood there. Never rejects. */
  close(): Promise<LeftText>;
}

/** The connection to the person's editor. One for the program; it comes back by itself when it breaks off. */
export interface Ide {
  /** How it stands, without waiting for anything. */
  status(): Promise<IdeStatus>;
  /**
   * Connects, where that is wanted, and says how it stands then. Never throws for what an editor does; `signal` gives
   * up waiting.
   */
  connect(options?: {readonly signal?: AbortSignal; readonly anyway?: boolean}): Promise<IdeStatus>;
  disconnect(): Promise<void>;
  /** What there is to find, without connecting. */
  discover(): Promise<Discovery>;
  /** The files that are open now, as the model may know them: newest first, existing ones only. */
  openFiles(): Promise<readonly OpenFile[]>;
  /** How long an answer takes, in milliseconds; undefined when there is none. */
  ping(): Promise<number | undefined>;
  /**
   * Shows changes, one after the other; when the signal gives up, the view is closed. Rejects with an Error that says
   * why it cannot.
   */
  showDiff(change: ProposedChange, signal: AbortSignal): Promise<ShownDiff>;
  /** What stood in the view of a call when it was closed; given once. */
  takeText(call: string): Promise<LeftText>;
}

/** What of the editor the model has been told in this conversation. */
export interface EditorContext {
  /** What it is to be told now: everything at first, what changed later; undefined = nothing. */
  take(): Promise<string | undefined>;
  /** Forgets what it was told. */
  reset(): Promise<void>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    ide: Ide;
    'editor-context': EditorContext;
  }
}
