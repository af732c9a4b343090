/** Where the product keeps the files of one project, outside the project's own folder. */
export interface ProjectFolder {
  /** The project: the real path of the folder that the program was started in. */
  readonly root: string;
  /** Its short name among the user's projects. */
  readonly slug: string;
  /** SHA-256 of `root`, in hex. */
  readonly hash: string;
  /** `<home>/.gemini/tmp/<slug>`. */
  readonly temporary: string;
  /** `<home>/.gemini/history/<slug>`. */
  readonly history: string;
}

/** The user's projects by short name, as in `projects.json`. */
export interface Project {
  /** The folder of this project; undefined when it has no short name yet. Writes nothing. */
  find(): Promise<ProjectFolder | undefined>;
  /** The same, but assigns a short name and creates `temporary` when the project has none. */
  claim(): Promise<ProjectFolder>;
}
