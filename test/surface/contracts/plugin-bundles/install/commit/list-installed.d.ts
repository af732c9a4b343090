import type { JSONSchema } from '@gemini-kernel/kernel';
import { type LockedPlugin } from '@gemini-kernel/admission';
import type { InstallScope } from '../source/installer.js';
import type { Surroundings } from '../../surroundings.js';
export interface LockedPlace {
  readonly name: string;
  readonly scope: InstallScope;
  readonly lock: string;
  readonly locked: LockedPlugin;
  readonly root: string;
  readonly place?: string;
  readonly isShadowed: boolean;
}
export declare function listInstalled(
  { installs }: Pick<Surroundings, 'installs'>,
  schema: JSONSchema,
): Promise<readonly LockedPlace[]>;
