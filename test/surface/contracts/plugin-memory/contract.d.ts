export type Tier = 'global' | 'private' | 'project' | 'folder';
export interface ContextFile {
  readonly tier: Tier;
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
  readonly faults: readonly string[];
}
export interface Memory {
  files(): Promise<readonly ContextFile[]>;
  meet(paths: readonly string[]): Promise<readonly ContextFile[]>;
  reload(): Promise<readonly ContextFile[]>;
  takeReloaded(): Promise<readonly ContextFile[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    memory: Memory;
  }
}
