import { type PluginsLock } from '@gemini-kernel/admission';
import type { Installer } from './source/installer.js';
export interface RollbackRequest {
  readonly name?: string | undefined;
  readonly to?: number | undefined;
}
export interface Rollback {
  readonly serial: number;
  readonly from: number;
  readonly changes: readonly {
    readonly name: string;
    readonly before?: string;
    readonly after?: string;
  }[];
}
export declare function rollBack(installer: Installer, { name, to }: RollbackRequest): Promise<Rollback>;
export declare function changesBetween(now: PluginsLock['plugins'], then: PluginsLock['plugins']): Rollback['changes'];
