import {resolve} from 'node:path';
import type {ActiveBundle, InstallPlaces} from '@gemini-kernel/admission/contract';
import type {Environment, KernelError} from '@gemini-kernel/kernel';
import type {ConfigFiles, Explanation, Settings} from '@gemini-kernel/plugin-settings/contract';
import type {BroughtRules, Defaults} from './contract.js';
import {findOwnPlaces, ownPlacesRule} from './own-places.js';
import {probeRule} from './probe-rule.js';
import {tellProjectInVain, tightenedKeys} from './project-in-vain.js';
import {findAdminFault} from './read/admin-fault.js';
import {findBroken} from './read/broken-policy.js';
import {findAdministrator} from './read/find-administrator.js';
import type {FoundFile} from './read/find-in-folder.js';
import {findRuleFiles, systemFolderOf, type FoundFiles} from './read/find-rule-files.js';
import {namedPathsOf, type NamedPath} from './read/named-paths.js';
import {isLimitsFile} from './read/read-limits.js';
import {readSettingsRules, settingsRuleKeys} from './read/settings-rules.js';
import type {Problem, RuleSet, SandboxLimits} from './rule.js';

export interface LoadedPolicy extends RuleSet {
  readonly files: readonly FoundFile[];
  /** What --policy names and is not there. */
  readonly unfound: readonly Problem[];
  /** Why nothing may run: a source of rules that cannot be read whole. */
  readonly broken: KernelError | undefined;
  /** What a person named for the administrator's tier and cannot loosen anything there. */
  readonly inVain: readonly Problem[];
}

interface NamedPaths {
  readonly policyPaths: readonly NamedPath[];
  readonly adminPolicyPaths: readonly NamedPath[];
}

interface Sources {
  readonly environment: Pick<Environment, 'cwd' | 'home' | 'platform' | 'cacheDir' | 'temporary' | 'variables'>;
  /** Undefined where the host installs nothing. */
  readonly installs: InstallPlaces | undefined;
  /** Those in force. */
  readonly bundles: readonly ActiveBundle[];
  /** What other plugins bring. */
  readonly brought: readonly BroughtRules[];
  readonly settings: Settings;
  readonly configFiles: ConfigFiles;
  readonly defaults: Defaults;
  /** Whether the folder's own rules count. */
  readonly isTrusted: boolean;
  /** Names of tools, given when misspelt ones are to be reported. */
  readonly knownTools?: readonly string[];
}

/**
 * Reads every rule there is. Throws KernelError POLICY_ADMIN_UNSAFE or POLICY_ADMIN_BROKEN when the administrator's
 * files could be changed by others or not be listed.
 */
export async function loadPolicy(sources: Sources): Promise<LoadedPolicy> {
  const {environment, settings, brought, defaults, knownTools} = sources;
  const {found, named} = await findFiles(sources);
  const keys = await Promise.all(settingsRuleKeys.map((key) => settings.explain(key)));
  const files = found.files.filter(({file}) => !isCases(file));
  const read = await readFiles(files, knownTools ? undefined : defaults, knownTools ?? []);
  const fromSettings = readSettingsRules(keys.map((one) => withExcluded(one, brought)));
  // Only a check reports it; a start need not look.
  const supervised = knownTools ? await Promise.all(tightenedKeys.map((key) => settings.explain(key))) : [];
  const problems = [...found.problems, ...read.problems, ...fromSettings.problems, ...tellProjectInVain(supervised)];
  const own = ownPlacesRule(await findOwnPlaces(sources), environment);
  return {
    files,
    problems,
    unfound: findUnfound(found.problems, pathsFrom('flag', named.policyPaths, environment)),
    broken: findBroken(problems),
    inVain: found.inVain,
    rules: [probeRule, own, ...read.rules, ...fromSettings.rules],
    checkers: read.checkers,
    limits: read.limits ?? [],
  };
}

/**
 * What the files named `sandbox.toml` say about commands in the sandbox, without the rules of other files. Throws as
 * `loadPolicy` does, and KernelError POLICY_BROKEN for a file that cannot be used as it is written.
 */
export async function loadLimits(sources: Sources): Promise<readonly SandboxLimits[]> {
  const {found} = await findFiles(sources);
  const {limits = [], problems} = await readFiles(found.files.filter(isLimitsFile), undefined, []);
  const broken = findBroken(problems);
  if (broken) throw broken;
  return limits;
}

/** Finds the files of rules; those of the administrator must be the administrator's. */
async function findFiles(sources: Sources): Promise<{readonly found: FoundFiles; readonly named: NamedPaths}> {
  const {environment, settings, installs, bundles, brought, defaults, isTrusted} = sources;
  const [policyPaths = [], adminPolicyPaths = []] = (
    await Promise.all(['policyPaths', 'adminPolicyPaths'].map((key) => settings.explain(key)))
  ).map(namedPathsOf);
  const named = {policyPaths, adminPolicyPaths};
  await checkAdministrator(sources, pathsFrom('admin', adminPolicyPaths, environment));
  const administrator =
    adminPolicyPaths.length > 0 ? findAdministrator({platform: environment.platform, installs, bundles}) : undefined;
  const places = {
    ...environment,
    ...named,
    bundles,
    administrator,
    isTrusted,
    defaults: defaults.folder,
    extensions: brought,
  };
  return {found: findRuleFiles(places), named};
}

/** Tools that extensions exclude are excluded as if the person had. */
function withExcluded(explanation: Explanation, brought: readonly BroughtRules[]): Explanation {
  const excluding = brought.filter(({excludedTools}) => excludedTools.length > 0);
  if (explanation.key !== 'tools.exclude' || excluding.length === 0) return explanation;
  const layers = excluding.map(({name, excludedTools}) => ({
    layer: 'user' as const,
    source: `Extension (${name})`,
    value: excludedTools,
  }));
  return {...explanation, layers: [...explanation.layers, ...layers]};
}

/** The absolute paths that one origin names. */
function pathsFrom(
  origin: NamedPath['origin'],
  named: readonly NamedPath[],
  {cwd}: Pick<Environment, 'cwd'>,
): readonly string[] {
  return named.filter((one) => one.origin === origin).map(({path}) => resolve(cwd, path));
}

async function checkAdministrator({environment, configFiles}: Sources, owned: readonly string[]): Promise<void> {
  const {platform} = environment;
  for (const path of [systemFolderOf(platform), ...owned]) {
    const fault = await findAdminFault(path, {
      platform,
      mayBeFile: owned.includes(path),
      findAccessFault: (one, subject) => configFiles.findAccessFault(one, subject),
    });
    if (fault) throw fault;
  }
}

/** What the flag names and is not there. */
function findUnfound(problems: readonly Problem[], given: readonly string[]): readonly Problem[] {
  return problems.filter(({severity, tier, file}) => severity === 'error' && tier === 'user' && given.includes(file));
}

/**
 * The product's own files as they were read when it was built, where they are still the same; the others as they are.
 */
async function readFiles(
  files: readonly FoundFile[],
  defaults: Defaults | undefined,
  knownTools: readonly string[],
): Promise<RuleSet> {
  const prepared = new Map(files.map((file) => [file, defaults?.take(file)] as const));
  const others = files.filter((file) => !prepared.get(file));
  const read =
    others.length > 0
      ? await (await import('./read/read-rule-file.js')).readRuleFiles(others, {knownTools})
      : undefined;
  const sets = [...prepared.values(), read].filter((set) => set !== undefined);
  return {
    rules: sets.flatMap(({rules}) => rules),
    checkers: sets.flatMap(({checkers}) => checkers),
    problems: sets.flatMap(({problems}) => problems),
    limits: sets.flatMap(({limits = []}) => limits),
  };
}

/** Whether a file holds cases to test rules with, and no rules. */
export function isCases(file: string): boolean {
  return file.endsWith('.test.toml');
}
