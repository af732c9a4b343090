import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Catalog} from '@gemini-kernel/kernel/host';
import {warn} from './process-environment.js';
import type {Start} from './start.js';
import type {InstallFault, UserCatalog} from './user-catalog.js';

/**
 * Ends a start in which what decides about plugins cannot be relied on, unless the command `id` shows or repairs that:
 * then it warns. Throws KernelError INSTALLS_UNRELIABLE or MANAGED_UNMET.
 */
export function refuseFaults({installed, catalog, environment}: Start, id: string): void {
  if (!installed.user) return;
  const {broken} = installed.user;
  if (broken) answerBroken(broken, id);
  const unmet = findUnmet(installed.user, catalog);
  if (unmet) answerUnmet(unmet, id, environment);
}

/** What is missing may be a guard. */
function answerBroken({message, hint}: InstallFault, id: string): void {
  if (repairs(id) || id.split(':')[0] === 'settings') return warn(`${message}\n${hint}`);
  throw new KernelError('INSTALLS_UNRELIABLE', message, {hint});
}

/** At a terminal a person reads the warning and continues with less; without a person, nothing runs. */
function answerUnmet(sentence: string, id: string, {interactive}: Pick<Environment, 'interactive'>): void {
  if (interactive || repairs(id)) return warn(sentence);
  throw new KernelError('MANAGED_UNMET', sentence, {
    hint: 'gemini bundle status and gemini plugins list say what is in force, and what is missing.',
  });
}

/** What the administrator asks for and is not so. */
function findUnmet({unreliable, required}: UserCatalog, {plugins}: Catalog): string | undefined {
  if (unreliable)
    return (
      `The administrator's rules cannot be relied on, so only what came with the product may load: ` +
      `${unreliable.replace(/\.$/, '')}.`
    );
  const missing = required.filter((name) => !plugins.has(name));
  return missing.length > 0
    ? `The administrator requires ${missing.join(' and ')}, which ${missing.length === 1 ? 'is' : 'are'} not there ` +
        'or may not load.'
    : undefined;
}

/** Commands that show or repair what is wrong, and so must run while it is. */
const REPAIRING = /^(plugins|bundle|doctor|help)(:|$)/;

function repairs(id: string): boolean {
  return REPAIRING.test(id) || id.startsWith('-');
}
