export interface Environment {
  readonly cwd: string;
  readonly home: string;
  readonly temporary: string;
  readonly cacheDir: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly interactive: boolean;
  newId(): string;
}
