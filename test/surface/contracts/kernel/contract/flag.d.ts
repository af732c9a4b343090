export interface FlagSpec {
  readonly description: string;
  readonly type: 'string' | 'boolean';
  readonly char?: string;
  readonly multiple?: boolean;
  readonly options?: readonly string[];
  readonly commands?: readonly string[];
  readonly bare?: string;
  readonly value?: unknown;
  readonly setting: string;
}
export type Flag = FlagSpec & {
  readonly name: string;
};
export declare function defineFlag(name: string, spec: FlagSpec): Flag;
