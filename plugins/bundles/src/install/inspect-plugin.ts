import {readManifest, type LockedPlugin} from '@gemini-kernel/admission';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {oneLine} from '../one-line.js';
import {ownEntry} from '../own-entry.js';
import {listInstalled} from './commit/list-installed.js';
import {readPlugins} from './commit/read-plugins.js';
import {compareLocked} from './judge/compare-locked.js';
import {describeConsent} from './judge/describe-consent.js';
import {explainCapability, type ExplainedCapability} from './judge/explain-capability.js';
import {describeAge} from './judge/describe-plugin.js';
import {lookalikeBeside} from './judge/find-lookalike.js';
import type {Installer} from './source/installer.js';
import {parseSpec} from './source/parse-spec.js';
import {stagePlugin} from './stage-plugin.js';

export interface InspectedPlugin {
  readonly name: string;
  readonly version: string;
  readonly isInstalled: boolean;
  /** Its folder; absent when it is not installed. */
  readonly root?: string;
  readonly locked: LockedPlugin;
  readonly manifest: Manifest;
  /** What it may do, in words. */
  readonly capabilities: readonly ExplainedCapability[];
  readonly files?: number;
  readonly bytes?: number;
  readonly published?: Date;
  readonly unknownKey?: string;
  readonly unproven?: string;
  /** Install scripts that do not run; known only for a plugin that is not installed. */
  readonly scripts: readonly string[];
  readonly lookalike?: string;
  /** What is installed instead. */
  readonly before?: LockedPlugin;
}

/** Shows an installed plugin by its name, or fetches and checks one that could be installed. Nothing is installed. */
export async function inspectPlugin(installer: Installer, spec: string): Promise<InspectedPlugin> {
  const [installed] = (await listInstalled(installer.environment, installer.schemas.lock)).filter(
    ({name}) => name === spec,
  );
  if (installed) {
    const {name, locked, root} = installed;
    return {
      name,
      version: locked.version,
      isInstalled: true,
      root,
      locked,
      manifest: await readManifest(root, installer.schemas.plugin),
      capabilities: locked.capabilities.map(explainCapability),
      scripts: [],
    };
  }
  await using staged = await stagePlugin(installer, {wanted: parseSpec(spec, installer.environment.cwd)});
  const {
    package: {name, version},
    locked,
    manifest,
    files,
    bytes,
    published,
    unknownKey,
    unproven,
    scripts,
  } = staged;
  const plugins = await readPlugins(installer);
  const before = ownEntry(plugins, name);
  const lookalike = lookalikeBeside(installer, name, plugins);
  return {
    name,
    version,
    isInstalled: false,
    locked,
    manifest,
    capabilities: locked.capabilities.map(explainCapability),
    files,
    bytes,
    scripts,
    ...(published ? {published} : {}),
    ...(unknownKey ? {unknownKey} : {}),
    ...(unproven ? {unproven} : {}),
    ...(lookalike ? {lookalike} : {}),
    ...(before ? {before} : {}),
  };
}

/** The result as lines for people. */
export function inspectLines(
  inspected: InspectedPlugin,
  {verbose, now}: {readonly verbose: boolean; readonly now: Date},
): readonly string[] {
  const {locked, before, lookalike, root, manifest} = inspected;
  const row = (label: string, text: string): string => `  ${label.padEnd(11)} ${oneLine(text)}`;
  const dependencies = Object.entries(locked.dependencies ?? {});
  return [
    ...describeConsent({...inspected, before, lookalike, now}, compareLocked(before, locked)),
    row('about', oneLine(manifest.description, 300)),
    row('kernel', manifest.kernel),
    ...(locked.approved
      ? [row('approved', `by ${locked.approved.by}, ${describeAge(new Date(locked.approved.at), now)}`)]
      : []),
    ...(root ? [row('folder', root)] : []),
    ...(locked.integrity ? [row('archive', locked.integrity)] : []),
    ...(locked.tree ? [row('files', locked.tree)] : []),
    ...(verbose
      ? dependencies.map(([place, {version, resolved}]) =>
          row('brings', `${place} ${version}${resolved ? `, from ${resolved}` : ''}`),
        )
      : []),
  ];
}
