import {KernelError} from '@gemini-kernel/kernel';
import type {Problem} from '../rule.js';

/** The error that stops the start when an administrator's rules cannot be used as they are written, or undefined. */
export function findBrokenAdmin(problems: readonly Problem[]): KernelError | undefined {
  const broken = problems.find(({severity, tier}) => severity === 'error' && tier === 'admin');
  if (!broken) return undefined;
  const {file, line, column, message} = broken;
  const place = line === undefined ? '' : ` at line ${line}, column ${column ?? 1}`;
  return new KernelError('POLICY_ADMIN_BROKEN', `The administrator's rules in ${file} are broken${place}: ${message}`, {
    hint: 'Nothing runs until an administrator has corrected the file.',
    data: broken,
  });
}
