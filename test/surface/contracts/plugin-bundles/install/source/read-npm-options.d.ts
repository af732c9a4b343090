import { type Environment } from '@gemini-kernel/kernel';
export type NpmOptions = Readonly<Record<string, unknown>> & {
  readonly registry: string;
  readonly proxy?: string | null;
  readonly httpsProxy?: string | null;
  readonly noProxy?: string | readonly string[];
  readonly cache?: string;
  readonly timeout?: number;
  readonly publicRegistry: string;
  readonly proxyVariables: Readonly<Record<string, string | undefined>>;
};
export interface NpmOptionsParts {
  readonly environment: Pick<Environment, 'variables' | 'platform' | 'home'>;
  readonly project: string | undefined;
  readonly registry: string | undefined;
}
export declare function readNpmOptions({ environment, project, registry }: NpmOptionsParts): Promise<NpmOptions>;
