export type SymbolKind =
  | 'class'
  | 'constant'
  | 'enum'
  | 'function'
  | 'heading'
  | 'interface'
  | 'key'
  | 'macro'
  | 'member'
  | 'method'
  | 'module'
  | 'property'
  | 'struct'
  | 'type'
  | 'variable';
export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly owner?: string;
  readonly from: number;
  readonly start: number;
  readonly nameAt: number;
  readonly body: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
}
export interface FoundSymbol {
  readonly path: string;
  readonly symbol: CodeSymbol;
  readonly signature: string;
}
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}
export interface Reference extends Place {
  readonly text: string;
  readonly isShorthand?: boolean;
  readonly as?: string;
}
export interface Found<T> {
  readonly items: readonly T[];
  readonly isLimited: boolean;
}
export interface CodeStatus {
  readonly files: number;
  readonly symbols: number;
  readonly languages: readonly {
    readonly name: string;
    readonly files: number;
  }[];
  readonly leftOut: readonly {
    readonly path: string;
    readonly reason: string;
  }[];
  readonly file: string;
  readonly bytes: number;
  readonly ms: number;
  readonly parsed: number;
}
export interface FindRequest {
  readonly name: string;
  readonly path?: string;
  readonly definedIn?: string;
  readonly most?: number;
  readonly signal?: AbortSignal;
}
export interface Outline {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  readonly symbols: readonly CodeSymbol[];
  readonly hasFaults: boolean;
}
export interface RankedFile {
  readonly path: string;
  readonly score: number;
  readonly symbols: readonly {
    readonly symbol: CodeSymbol;
    readonly score: number;
  }[];
}
export interface Code {
  outline(path: string): Promise<Outline>;
  ranked(path?: string, signal?: AbortSignal): Promise<readonly RankedFile[]>;
  definitions(request: FindRequest): Promise<Found<FoundSymbol>>;
  references(request: FindRequest): Promise<Found<Reference>>;
  implementations(request: FindRequest): Promise<Found<FoundSymbol>>;
  similar(name: string, signal?: AbortSignal): Promise<readonly string[]>;
  status(signal?: AbortSignal): Promise<CodeStatus>;
}
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly code?: string;
  readonly text: string;
}
export interface ServerInfo {
  readonly name: string;
  readonly languages: readonly string[];
  readonly file?: string;
  readonly from: 'PATH' | 'setting';
  readonly state: 'ready' | 'running' | 'missing' | 'unused' | 'faulty';
  readonly reason?: string;
}
export interface CodeServers {
  list(): Promise<readonly ServerInfo[]>;
  isUseful(directories: readonly string[]): Promise<boolean>;
  checks(path: string): Promise<boolean>;
  problems(
    path: string,
    text: string,
    signal: AbortSignal,
  ): Promise<{
    readonly server: string;
    readonly problems: readonly Problem[];
  }>;
  references(
    path: string,
    text: string,
    offset: number,
    signal: AbortSignal,
  ): Promise<{
    readonly server: string;
    readonly places: readonly Place[];
  }>;
  unchecked<T>(act: () => Promise<T>): Promise<T>;
}
export interface CodeIndex {
  touched(path?: string): void;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    code: Code;
    'code-index': CodeIndex;
    'code-servers': CodeServers;
  }
}
