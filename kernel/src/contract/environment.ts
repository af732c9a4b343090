/** Files and folders of one scope. */
export interface ScopePlaces {
  /** `plugins.lock.json`. */
  readonly lock: string;
  /** Holds a folder for each tree of a plugin. */
  readonly store: string;
  /** Holds a folder for each applied bundle. */
  readonly bundles: string;
}

export interface InstallPlaces {
  readonly user: ScopePlaces;
  /** The administrator's, at a place that no variable moves, with the drop-in folder of rules. */
  readonly system: ScopePlaces & {readonly rules: string; readonly owner: number | undefined};
  /** The lock of the project in the current directory. */
  readonly project: {readonly lock: string};
  /** Scopes and names that no installed plugin may have. */
  readonly reserved: readonly string[];
  /** The program's own folder, whose kernel and oclif are lent to installed plugins. */
  readonly program: string;
}

/** What a bundle brings beside plugins. */
export interface ActiveBundle {
  readonly name: string;
  readonly origin: 'product' | 'user' | 'system';
  readonly serial?: number;
  readonly settings: {
    readonly defaults?: Readonly<Record<string, unknown>>;
    readonly enforced?: Readonly<Record<string, unknown>>;
  };
  /** Absolute paths of TOML files. */
  readonly policies: readonly string[];
  /** The digest that each of them must have when it is read, where it was verified. */
  readonly digests?: Readonly<Record<string, string>>;
}

/** What the process was started with. `bin/` and test kernels make it; nothing else reads `process`. */
export interface Environment {
  readonly cwd: string;
  /** The directory that holds `.gemini` (GEMINI_CLI_HOME, else the home directory). */
  readonly home: string;
  /** The system's folder for short-lived files, which others may share. */
  readonly temporary: string;
  /** Where this program keeps what can be thrown away. */
  readonly cacheDir: string;
  /** Where installed plugins and applied bundles are kept. */
  readonly installs: InstallPlaces;
  /** The bundles in force, the strongest last: what the product is made of, the user's, the administrator's. */
  readonly bundles: readonly ActiveBundle[];
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Values of flags that plugins contributed, by the settings key that each flag sets. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Whether a person sits at a terminal. */
  readonly interactive: boolean;
  /** A new random id. */
  newId(): string;
}
