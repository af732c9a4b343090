export interface Bundle {
  readonly entries: Readonly<Record<string, string>>;
  readonly replace?: readonly {
    readonly path: RegExp;
    readonly by: string;
  }[];
  readonly licences?: string;
}
export interface BuildTools {
  bundle(bundle: Bundle): Promise<void>;
}
