export interface PluginPackage {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<
    Record<
      string,
      {
        readonly optional?: boolean;
      }
    >
  >;
  readonly bundleDependencies?: readonly string[] | boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly license?: unknown;
}
export declare function readPluginPackage(root: string): Promise<PluginPackage>;
export declare function installScriptsOf({ scripts }: PluginPackage): readonly string[];
