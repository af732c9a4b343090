/** What the process was started with. `bin/` and test kernels make it; nothing else reads `process`. */
export interface Environment {
  readonly cwd: string;
  /** The directory that holds `.gemini` (GEMINI_CLI_HOME, else the home directory). */
  readonly home: string;
  /** The system's folder for short-lived files, which others may share. */
  readonly temporary: string;
  /** Where this program keeps data that can be deleted. */
  readonly cacheDir: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Values of flags that plugins contributed, by the settings key that each flag sets. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Whether a person sits at a terminal. */
  readonly interactive: boolean;
  /** A new random id. */
  newId(): string;
}
