// The services by which a host says what is installed. Types only: hosts provide them to plugins of the product.
// The kernel adds to its own `Services` first, no matter who imports this file.
/// <reference types="@gemini-kernel/kernel" preserve="true" />

/** Files and folders of one scope. */
export interface ScopePlaces {
  /** `plugins.lock.json`. */
  readonly lock: string;
  /** Holds a folder for each tree of a plugin. */
  readonly store: string;
  /** Holds a folder for each applied bundle. */
  readonly bundles: string;
}

/** Where installed plugins and applied bundles are kept. */
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

/** A folder that a bundle brings. */
export interface BundleFolder {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** The digest that all its files must have when it is used. */
  readonly tree: string;
}

/** What a bundle brings beside plugins. */
export interface ActiveBundle {
  readonly name: string;
  readonly origin: 'product' | 'user' | 'system';
  readonly serial?: number;
  /** When it stops to bring plugins and, unless it is the administrator's, folders. */
  readonly expires?: string;
  readonly settings: {
    readonly defaults?: Readonly<Record<string, unknown>>;
    readonly enforced?: Readonly<Record<string, unknown>>;
  };
  /** Absolute paths of TOML files. */
  readonly policies: readonly string[];
  /** The digest that each of them must have when it is read, where it was verified. */
  readonly digests?: Readonly<Record<string, string>>;
  readonly extensions?: readonly BundleFolder[];
  readonly skills?: readonly BundleFolder[];
}

/** The service `installs`. */
export interface Installs {
  places(): Promise<InstallPlaces>;
}

/** The service `bundles`. */
export interface Bundles {
  /** The bundles in force, the strongest last: what the product is made of, the user's, the administrator's. */
  list(): Promise<readonly ActiveBundle[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    installs: Installs;
    bundles: Bundles;
  }
}
