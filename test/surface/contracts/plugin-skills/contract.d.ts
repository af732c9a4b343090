export type SkillOrigin = 'built-in' | 'extension' | 'bundle' | 'user' | 'project';
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly origin: SkillOrigin;
  readonly owner?: string;
  readonly folder: string;
  readonly file: string;
  readonly enabled: boolean;
  readonly replaces?: readonly string[];
  readonly license?: string;
  readonly version?: string;
  readonly compatibility?: string;
  readonly allowedTools?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
}
export interface SkillFault {
  readonly file: string;
  readonly reason: string;
  readonly kind: 'broken' | 'untrusted';
}
export interface FoundSkills {
  readonly skills: readonly Skill[];
  readonly faults: readonly SkillFault[];
  readonly off?: string;
}
export interface SkillContent {
  readonly skill: Skill;
  readonly body: string;
  readonly digest: string;
  readonly tree: string;
}
export interface Skills {
  list(): Promise<FoundSkills>;
  read(name: string): Promise<SkillContent>;
  activate(
    name: string,
    options?: {
      readonly digest?: string;
    },
  ): Promise<SkillContent>;
  refresh(): Promise<void>;
  follow(changed: () => void): () => void;
}
export interface SkillFolder {
  readonly path: string;
  readonly owner: string;
  readonly origin?: 'extension' | 'bundle';
  readonly isManaged?: true;
}
export interface SkillFolderSource {
  list(): Promise<readonly SkillFolder[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    skills: Skills;
    [folders: `skill-folders:${string}`]: SkillFolderSource;
  }
}
