import type {} from '@gemini-kernel/kernel';

/** Who wrote a skill. */
export type SkillOrigin = 'built-in' | 'extension' | 'bundle' | 'user' | 'project';

/** A skill that was found: what its head says. */
export interface Skill {
  /** With characters that cannot be in a file name replaced by `-`. */
  readonly name: string;
  readonly description: string;
  readonly origin: SkillOrigin;
  /** The extension or the bundle that it belongs to. */
  readonly owner?: string;
  /** Absolute and real. */
  readonly folder: string;
  /** The `SKILL.md`, where it was found. */
  readonly file: string;
  readonly enabled: boolean;
  /** Files of weaker skills with the same name. */
  readonly replaces?: readonly string[];
  readonly license?: string;
  readonly version?: string;
  readonly compatibility?: string;
  /** For display only: it never changes which calls may run. */
  readonly allowedTools?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Something that looks like a skill and does not count. */
export interface SkillFault {
  readonly file: string;
  /** A sentence without its subject: `has no name`. */
  readonly reason: string;
  readonly kind: 'broken' | 'untrusted';
}

export interface FoundSkills {
  /** By name. */
  readonly skills: readonly Skill[];
  readonly faults: readonly SkillFault[];
  /** A sentence, if skills are switched off. */
  readonly off?: string;
}

/** What a model gets when a skill is activated. */
export interface SkillContent {
  readonly skill: Skill;
  readonly body: string;
  /** sha256 of the file. */
  readonly digest: string;
  /** The files of the folder as a tree, at most 200 names. */
  readonly tree: string;
}

/** The skills of one session. */
export interface Skills {
  /** What was found at the start, or by the last `refresh`. */
  list(): Promise<FoundSkills>;
  /** Throws ToolError SKILL_UNKNOWN or SKILL_UNREADABLE. */
  read(name: string): Promise<SkillContent>;
  /**
   * Reads an enabled skill and lets this session read its folder. With `digest`, throws ToolError SKILL_CHANGED if the
   * file is another one.
   */
  activate(name: string, options?: {readonly digest?: string}): Promise<SkillContent>;
  /** Looks for changes on the disk and in the settings, and sends notices about what does not count. */
  refresh(): Promise<void>;
  /** Calls back when the list has changed; returns what ends that. */
  follow(changed: () => void): () => void;
}

/** A folder with skills that another plugin provides. */
export interface SkillFolder {
  /** Absolute: a folder with a `SKILL.md`, or with such folders. */
  readonly path: string;
  /** The name of the extension or the bundle. */
  readonly owner: string;
  /** An extension unless given. */
  readonly origin?: 'extension' | 'bundle';
  /** Of the administrator: no other skill of the name replaces it. Counts only from plugins of the product. */
  readonly isManaged?: true;
}

/**
 * The service `skill-folders:<owner>`: folders of extensions and bundles. They are stronger than built-in skills and
 * weaker than the user's, except those of the administrator. The list is kept until the service calls `changed()` of
 * its context.
 */
export interface SkillFolderSource {
  list(): Promise<readonly SkillFolder[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    skills: Skills;
    [folders: `skill-folders:${string}`]: SkillFolderSource;
  }
}
