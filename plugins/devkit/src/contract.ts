/** What a plugin wants in files of its own, so that its users install no packages for it. */
export interface Bundle {
  /** The module that each new file is made of; both relative to `dist`. A file `.cjs` is CommonJS. */
  readonly entries: Readonly<Record<string, string>>;
  /** Modules that are replaced by a file in `dist`, by what an import of them says. */
  readonly replace?: readonly {readonly path: RegExp; readonly by: string}[];
  /** The file in `dist` that gets the licences of all packages in the bundle; not needed where it has none. */
  readonly licences?: string;
}

/** What the function `build` of a plugin's `src/build.ts` is given. */
export interface BuildTools {
  /** Needs esbuild among the development dependencies of the plugin. */
  bundle(bundle: Bundle): Promise<void>;
}
