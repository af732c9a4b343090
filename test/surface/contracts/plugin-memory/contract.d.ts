export type Tier = 'global' | 'private' | 'project' | 'folder';
export interface ContextFile {
  readonly tier: Tier;
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
  readonly faults: readonly string[];
}
export interface Fact {
  readonly text: string;
  readonly scope: 'global' | 'private' | 'project';
}
export interface Proposal {
  readonly path: string;
  readonly line: string;
  readonly isKnown: boolean;
}
export interface ExplainedLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly tier: Tier;
  readonly importedBy: readonly string[];
  readonly leftOut?: string;
}
export interface Memory {
  files(): Promise<readonly ContextFile[]>;
  meet(paths: readonly string[]): Promise<readonly ContextFile[]>;
  reload(): Promise<readonly ContextFile[]>;
  takeReloaded(): Promise<readonly ContextFile[]>;
  propose(fact: Fact): Promise<Proposal>;
  keep(fact: Fact): Promise<Proposal>;
  explain(text: string): Promise<readonly ExplainedLine[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    memory: Memory;
  }
}
