export interface VariableSource {
  readonly value: string;
  readonly file?: string;
  readonly isProject?: boolean;
}
export interface Variables {
  get(name: string): Promise<string | undefined>;
  explain(name: string): Promise<VariableSource | undefined>;
  file(): Promise<
    | {
        readonly path: string;
        readonly names: readonly string[];
      }
    | undefined
  >;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    variables: Variables;
  }
}
