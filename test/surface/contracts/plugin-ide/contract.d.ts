import type { IdeInfo, OpenFile } from './protocol.js';
export type { ContextUpdate, DiscoveryFile, IdeInfo, OpenFile } from './protocol.js';
export type IdeReason =
  | 'disabled'
  | 'no-editor'
  | 'no-discovery-file'
  | 'discovery-file-unfit'
  | 'not-an-ancestor'
  | 'no-roots'
  | 'roots-disjoint'
  | 'port-refused'
  | 'no-answer'
  | 'token-rejected'
  | 'version-skew'
  | 'tools-missing'
  | 'lost';
export interface IdeFault {
  readonly reason: IdeReason;
  readonly message: string;
  readonly hint: string;
}
export type IdeEndpoint =
  | {
      readonly kind: 'http';
      readonly port: number;
      readonly token?: string;
    }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
    };
export interface FoundEditor {
  readonly source: 'file' | 'older-file' | 'variables';
  readonly file?: string;
  readonly pid?: number;
  readonly isAncestor: boolean;
  readonly isAlive: boolean;
  readonly roots: readonly string[];
  readonly info: IdeInfo;
  readonly endpoint: IdeEndpoint;
  readonly overlap: 'same' | 'inside-root' | 'holds-root' | 'disjoint' | 'no-roots' | 'unknown';
}
export interface Discovery {
  readonly candidates: readonly FoundEditor[];
  readonly others: readonly {
    readonly editor: FoundEditor;
    readonly fault: IdeFault;
  }[];
  readonly unfit: readonly {
    readonly file: string;
    readonly message: string;
  }[];
  readonly detected?: IdeInfo;
  readonly fault?: IdeFault;
}
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
  readonly server?: string;
  readonly fault?: IdeFault;
  readonly canDiff: boolean;
  readonly isTrusted?: boolean;
  readonly openFiles: readonly OpenFile[];
  readonly pingMs?: number;
}
export type DiffDecision =
  | {
      readonly decision: 'accepted';
      readonly text: string;
    }
  | {
      readonly decision: 'rejected';
    };
export interface ProposedChange {
  readonly call: string;
  readonly path: string;
  readonly text: string;
}
export interface LeftText {
  readonly text?: string;
  readonly isUnknown?: boolean;
}
export interface ShownDiff {
  readonly decided: Promise<DiffDecision>;
  close(): Promise<LeftText>;
}
export interface Ide {
  status(): Promise<IdeStatus>;
  connect(options?: { readonly signal?: AbortSignal; readonly anyway?: boolean }): Promise<IdeStatus>;
  disconnect(): Promise<void>;
  discover(): Promise<Discovery>;
  openFiles(): Promise<readonly OpenFile[]>;
  ping(): Promise<number | undefined>;
  showDiff(change: ProposedChange, signal: AbortSignal): Promise<ShownDiff>;
  takeText(call: string): Promise<LeftText>;
}
export interface EditorContext {
  take(): Promise<string | undefined>;
  reset(): Promise<void>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    ide: Ide;
    'editor-context': EditorContext;
  }
}
