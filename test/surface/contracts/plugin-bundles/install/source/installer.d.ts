import type { JSONSchema } from '@gemini-kernel/kernel';
import type { ManagedReading } from '@gemini-kernel/admission';
import type { CatalogPlugin, HostEntries } from '@gemini-kernel/kernel/host';
import type { NpmOptions } from './read-npm-options.js';
import type { Surroundings } from '../../surroundings.js';
export type InstallScope = 'user' | 'project' | 'system';
export interface Installer {
  readonly environment: Pick<
    Surroundings,
    'cwd' | 'home' | 'installs' | 'platform' | 'variables' | 'newId' | 'interactive'
  >;
  readonly scope: InstallScope;
  readonly lock: string;
  readonly store: string;
  readonly schemas: {
    readonly plugin: JSONSchema;
    readonly lock: JSONSchema;
  };
  readonly managed: ManagedReading;
  readonly present: readonly CatalogPlugin[];
  readonly host: HostEntries;
  readonly signal: AbortSignal;
  npm(): Promise<NpmOptions>;
  now(): Date;
  tell(sentence: string): void;
}
