import {KernelError} from '@gemini-kernel/kernel';
import type {Problem, Tier} from '../rule.js';

const OWNERS: Partial<Record<Tier, string>> = {
  workspace: "The project's rules",
  extension: "An extension's rules",
  admin: "The administrator's rules",
};

/**
 * The error that stops the start when a source of rules cannot be used as it is written, or undefined. The
 * administrator's comes first.
 * What a misspelt rule denied, the rest would let through.
 */
export function findBroken(problems: readonly Problem[]): KernelError | undefined {
  const faults = problems.filter(({severity}) => severity === 'error');
  const broken = faults.find(({tier}) => tier === 'admin') ?? faults[0];
  if (!broken) return undefined;
  const {tier, file, line, column, message} = broken;
  const place = line === undefined ? '' : ` at line ${line}, column ${column ?? 1}`;
  const more =
    faults.length === 1
      ? ''
      : faults.length === 2
        ? ' There is one more error.'
        : ` There are ${faults.length - 1} more errors.`;
  return new KernelError(
    tier === 'admin' ? 'POLICY_ADMIN_BROKEN' : 'POLICY_BROKEN',
    `${OWNERS[tier] ?? 'The rules'} in ${file} are broken${place}: ${message}${more}`,
    {
      hint: hintFor(tier),
      data: broken,
    },
  );
}

function hintFor(tier: Tier): string {
  if (tier === 'admin')
    return 'Nothing runs until an administrator has corrected the file. gemini policy check shows every fault.';
  if (tier === 'workspace')
    return (
      'Nothing runs in this folder until the file is corrected or the folder is no longer trusted (gemini trust ' +
      'remove). gemini policy check shows every fault.'
    );
  return 'Nothing runs until the file is corrected. gemini policy check shows every fault.';
}
