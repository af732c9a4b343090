import type {Provenance} from '@gemini-kernel/admission';
import type {} from '@gemini-kernel/kernel';

/** Why an extension is not used. */
export type UnusedReason = 'admin' | 'broken' | 'changed' | 'disabled' | 'expired' | 'frozen' | 'not-chosen' | 'unsafe';

/** What an extension brings, as consent and lists show it. */
export interface Brought {
  readonly contextFiles: readonly string[];
  /** MCP servers: the name, and the command line or the address. */
  readonly servers: readonly {readonly name: string; readonly target: string}[];
  readonly excludedTools: readonly string[];
  /** Commands and skills, by name. */
  readonly commands: readonly string[];
  readonly skills: readonly string[];
  /** Command lines of hooks, each with its event. */
  readonly hooks: readonly {readonly event: string; readonly command: string}[];
  /** Files of rules. They only make calls stricter. */
  readonly policies: readonly string[];
  /** Names of themes. */
  readonly themes: readonly string[];
  /** The folder of a project that plans are kept in, where the person names none. */
  readonly planFolder?: string;
  /** Names of agents. */
  readonly agents: readonly string[];
  readonly settings: readonly ExtensionSetting[];
  /** Variables of the person that the manifest reads. */
  readonly variables: readonly string[];
}

/** A value that an extension asks the person for. */
export interface ExtensionSetting {
  readonly name: string;
  readonly description: string;
  readonly envVar: string;
  readonly isSecret: boolean;
}

/** A theme that an extension brings. */
export interface ExtensionTheme {
  readonly name: string;
  /** In the format of an entry of `ui.customThemes`. */
  readonly colours: Readonly<Record<string, unknown>>;
}

/** Where an extension comes from. */
export interface ExtensionSource {
  readonly type: 'archive' | 'bundle' | 'folder' | 'git' | 'github-release' | 'link' | 'npm' | 'unknown';
  /** The folder, file or address; `npm:<package>`; `bundle:<name>` for one of a bundle. */
  readonly location: string;
  /** The branch, tag or commit that was asked for. */
  readonly ref?: string;
  readonly commit?: string;
  /** Of a package of npm: the version that was fetched. */
  readonly version?: string;
  /** Of a release: its tag, and the name of the asset; without an asset, it is the source code of the tag. */
  readonly tag?: string;
  readonly asset?: string;
  /** Releases that are marked as such count too. */
  readonly preRelease?: true;
  /** Of the archive, as npm writes it. */
  readonly integrity?: string;
  /** Of a package of npm: where it was built, if that is proven. */
  readonly built?: Provenance;
}

/** An extension as lists show it. */
export interface ExtensionInfo {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly folder: string;
  readonly source: ExtensionSource;
  /**
   * `bundled`: a bundle brings it; `locked`: a person installed it. The files of both are checked at each start.
   * `unlocked`: another program installed it; `linked`: it is used where it is developed.
   */
  readonly state: 'bundled' | 'linked' | 'locked' | 'unlocked';
  /** An administrator's bundle brings it: no person disables it. */
  readonly isManaged?: true;
  readonly brings?: Brought;
  readonly unused?: {readonly reason: UnusedReason; readonly sentence: string};
}

/** An extension that is in use, with its variables filled in. */
export interface ActiveExtension {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly isManaged?: true;
  /** Real paths. */
  readonly contextFiles: readonly string[];
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly excludedTools: readonly string[];
  readonly themes: readonly ExtensionTheme[];
  /** What is wrong with other themes, as clauses. */
  readonly themeFaults: readonly string[];
  readonly planFolder?: string;
  /** Why the folder for plans that it names does not count, as a clause. */
  readonly planFault?: string;
  /** Values of its settings, by variable. */
  readonly values: Readonly<Record<string, string>>;
}

/** The extensions of a place. */
export interface Extensions {
  list(): Promise<readonly ExtensionInfo[]>;
  /** Those in use, in alphabetical order. */
  active(): Promise<readonly ActiveExtension[]>;
}

/** The service `extension-updates`: looks for updates of extensions that have automatic ones, once a day at most. */
export interface ExtensionUpdates {
  /** Resolves when the search that the session began with has ended. */
  settled(): Promise<void>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    extensions: Extensions;
    'extension-updates': ExtensionUpdates;
  }
}
