import type {Capability} from '@gemini-kernel/kernel/host';
import type {PluginRule, SourceRule} from '@gemini-kernel/admission';

/** A plugin that a bundle brings from elsewhere, as a platform team writes it. */
export interface ListedPlugin {
  readonly name: string;
  /** An exact version, or a range that locking resolves. */
  readonly version?: string;
  /**
   * A spec that `gemini plugins install` accepts, when the plugin does not come from the registry under its own name.
   */
  readonly from?: string;
  readonly mode?: 'allowed' | 'default-on' | 'required';
}

/** What the written form and the signed form have in common. */
export interface BundleTerms {
  readonly name: string;
  readonly description: string;
  readonly expires?: string;
  readonly kernel?: string;
  readonly apart?: readonly string[];
  readonly start?: string;
  readonly prompt?: string;
  readonly settings?: {
    readonly defaults?: Readonly<Record<string, unknown>>;
    readonly enforced?: Readonly<Record<string, unknown>>;
  };
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly rules?: Readonly<Record<string, PluginRule>>;
  readonly sources?: {readonly allowed?: readonly SourceRule[]; readonly blocked?: readonly SourceRule[]};
  readonly keys?: Readonly<Record<string, string>>;
  readonly blockedCapabilities?: readonly Capability[];
}

/** The content of `<name>.bundle.json`. */
export interface Bundle extends BundleTerms {
  readonly serial?: number;
  readonly plugins: readonly (string | ListedPlugin)[];
  /** Paths of TOML files, relative to the bundle's file. */
  readonly policies?: readonly string[];
  /** Names of folders in `extensions` and `skills` beside the bundle's file. */
  readonly extensions?: readonly string[];
  readonly skills?: readonly string[];
}
