import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {TrustRule, TrustState} from './contract.js';

const ENABLED = 'security.folderTrust.enabled';

export interface TrustSources {
  readonly folder: string;
  /** The file with the person's rules. */
  readonly file: string;
  /** The rule of that file which speaks of the folder. */
  readonly found: TrustRule | undefined;
  readonly settings: Settings;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Whether a folder is trusted, by a variable, a rule or a setting, and which of them decided. */
export async function explainTrust({folder, file, found, settings, variables}: TrustSources): Promise<TrustState> {
  const isRequired = (await settings.getManaged(ENABLED)) === true;
  const byVariable = explainVariables(variables, folder);
  const rule = found && {path: found.path, level: found.level};
  if (byVariable && !(byVariable.trusted && isRequired)) return {...byVariable, ...(rule ? {rule} : {})};
  const byRule: TrustState | undefined = rule && {
    folder,
    trusted: rule.level !== 'DO_NOT_TRUST',
    source: 'rule',
    reason: `${file} says ${rule.level} for ${rule.path}.`,
    rule,
  };
  if (byRule?.trusted) return byRule;
  // What the project itself says about this does not count.
  if ((await settings.getApart(ENABLED)) === false)
    return {folder, trusted: true, source: 'setting', reason: `${ENABLED} is off, so every folder is trusted.`};
  return (
    byRule ?? {
      folder,
      trusted: false,
      source: 'none',
      reason: `No rule trusts ${folder}.`,
      ...(isRequired ? {isRequired} : {}),
    }
  );
}

function explainVariables(
  variables: Readonly<Record<string, string | undefined>>,
  folder: string,
): TrustState | undefined {
  const say = (name: string, trusted: boolean): TrustState => ({
    folder,
    trusted,
    source: 'variable',
    reason: `The variable ${name} is ${variables[name] ?? ''}.`,
  });
  if (variables['GEMINI_RESTRICTED_MODE'] === 'true') return say('GEMINI_RESTRICTED_MODE', false);
  if (variables['GEMINI_CLI_TRUST_WORKSPACE'] === 'false') return say('GEMINI_CLI_TRUST_WORKSPACE', false);
  return variables['GEMINI_CLI_TRUST_WORKSPACE'] === 'true' ? say('GEMINI_CLI_TRUST_WORKSPACE', true) : undefined;
}
