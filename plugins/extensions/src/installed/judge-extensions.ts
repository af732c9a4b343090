import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {UnusedReason} from '../contract.js';
import type {FoundExtension} from './found-extension.js';

type Judged = FoundExtension['unused'];

export interface Choice {
  readonly cwd: string;
  isEnabled(name: string, cwd: string): boolean;
}

/**
 * Why extensions that could be used are not: by the administrator, by a flag, or by the person. What a project says
 * does not count: an extension may guard.
 */
export async function judgeExtensions(
  found: readonly FoundExtension[],
  settings: Pick<Settings, 'getApart'>,
  choice: Choice,
): Promise<readonly FoundExtension[]> {
  const [rules, only, frozen] = await Promise.all([
    readSourceRules(settings),
    settings.getApart('extensions.only'),
    settings.getApart('plugins.frozen'),
  ]);
  const chosen = textsOf(only).map((name) => name.toLowerCase());
  const judge = (one: FoundExtension): Judged =>
    one.isManaged
      ? undefined
      : (judgeSource(one, rules) ?? judgePin(one, frozen === true) ?? judgeChoice(one, chosen, choice));
  return found.map((one) => {
    const unused = one.unused ?? judge(one);
    return unused ? {...one, unused} : one;
  });
}

/** What the settings say about sources. */
export interface SourceRules {
  readonly isOn: boolean;
  /** Regular expressions for sources; when there are any, only these. */
  readonly allowed: readonly string[];
  readonly blockGit: boolean;
}

export async function readSourceRules(settings: Pick<Settings, 'getApart'>): Promise<SourceRules> {
  const [isOn, allowed, blockGit] = await Promise.all([
    settings.getApart('admin.extensions.enabled'),
    settings.getApart('security.allowedExtensions'),
    settings.getApart('security.blockGitExtensions'),
  ]);
  return {isOn: isOn !== false, allowed: textsOf(allowed), blockGit: blockGit === true};
}

/** Whether the rules of an administrator, or the person's own, allow a source. */
export function judgeSource({name, source}: Pick<FoundExtension, 'name' | 'source'>, rules: SourceRules): Judged {
  if (!rules.isOn) return {reason: 'admin', sentence: 'Your administrator does not allow extensions.'};
  if (rules.allowed.length > 0) {
    if (rules.allowed.some((one) => matches(one, source.location))) return undefined;
    return not(name, 'admin', 'its source is not in security.allowedExtensions');
  }
  // It was made when git was the only way to fetch one.
  if (rules.blockGit && ['git', 'github-release', 'npm'].includes(source.type))
    return not(name, 'admin', `security.blockGitExtensions refuses extensions from ${source.type}`);
  return undefined;
}

/** With `--frozen` only what is pinned by its content is used. */
function judgePin({name, state}: FoundExtension, isFrozen: boolean): Judged {
  if (!isFrozen || state === 'bundled' || state === 'locked') return undefined;
  return not(name, 'frozen', `it is ${state}, and with --frozen only extensions that are locked are used`);
}

/** A rule that cannot be read allows nothing. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}

function judgeChoice({name}: FoundExtension, chosen: readonly string[], {cwd, isEnabled}: Choice): Judged {
  if (chosen.length > 0) {
    if (chosen.includes(name.toLowerCase())) return undefined;
    return not(name, 'not-chosen', '--extensions does not name it');
  }
  if (isEnabled(name, cwd)) return undefined;
  return {
    reason: 'disabled',
    sentence: `The extension "${name}" is disabled here. Enable it with \`gemini extensions enable ${name}\`.`,
  };
}

function not(name: string, reason: UnusedReason, clause: string): Judged {
  return {reason, sentence: `The extension "${name}" is not used: ${clause}.`};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
