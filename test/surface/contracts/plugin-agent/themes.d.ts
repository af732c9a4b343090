export interface SourcedTheme {
  readonly name: string;
  readonly from?: string;
  readonly colours: Readonly<Record<string, unknown>>;
}
export interface ThemeSource {
  list(): Promise<readonly SourcedTheme[]>;
}
