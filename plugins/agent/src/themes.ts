/** A theme as a source lists it. JSON. */
export interface SourcedTheme {
  readonly name: string;
  /** The extension that it comes from, if it is not the plugin's own. */
  readonly from?: string;
  /** In the format of an entry of `ui.customThemes`. */
  readonly colours: Readonly<Record<string, unknown>>;
}

/**
 * The service `themes:<owner>` of a program or a place: themes that exist only at run time. A person chooses one as
 * `name (owner)`, so that no source replaces a theme of another. The list is kept until the source calls `changed()`.
 */
export interface ThemeSource {
  list(): Promise<readonly SourcedTheme[]>;
}
