export interface ProjectFolder {
  readonly root: string;
  readonly slug: string;
  readonly hash: string;
  readonly temporary: string;
  readonly history: string;
}
export interface Project {
  find(): Promise<ProjectFolder | undefined>;
  claim(): Promise<ProjectFolder>;
}
