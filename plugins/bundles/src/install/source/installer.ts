import type {JSONSchema} from '@gemini-kernel/kernel';
import type {ManagedReading} from '@gemini-kernel/admission';
import type {CatalogPlugin, HostEntries} from '@gemini-kernel/kernel/host';
import type {NpmOptions} from './read-npm-options.js';
import type {Surroundings} from '../../surroundings.js';

export type InstallScope = 'user' | 'project' | 'system';

/** What every step of an installation receives. */
export interface Installer {
  readonly environment: Pick<
    Surroundings,
    'cwd' | 'home' | 'installs' | 'platform' | 'variables' | 'newId' | 'interactive'
  >;
  readonly scope: InstallScope;
  readonly lock: string;
  readonly store: string;
  readonly schemas: {readonly plugin: JSONSchema; readonly lock: JSONSchema};
  readonly managed: ManagedReading;
  /** The plugins that load today. */
  readonly present: readonly CatalogPlugin[];
  /** Parts that belong to no plugin. */
  readonly host: HostEntries;
  readonly signal: AbortSignal;
  /** The user's npm configuration, read when it is first needed. */
  npm(): Promise<NpmOptions>;
  now(): Date;
  /** Shows progress to a person at a terminal. */
  tell(sentence: string): void;
}
