import type { Explanation } from '@gemini-kernel/plugin-settings/contract';
export interface NamedPath {
  readonly path: string;
  readonly origin: 'flag' | 'settings' | 'project' | 'admin';
}
export declare function namedPathsOf({ layers }: Pick<Explanation, 'layers'>): readonly NamedPath[];
