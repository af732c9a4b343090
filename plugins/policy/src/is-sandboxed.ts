import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';
import {SHELL} from './read/tool-names.js';

/**
 * Whether commands are confined. A sandbox that cannot be used does not count: the command then does not run. It is
 * not asked, nor loaded, about a tool that runs no commands.
 */
export async function isSandboxed(
  {names, service}: Pick<ServiceContext, 'names' | 'service'>,
  tool: string = SHELL,
): Promise<boolean> {
  return tool === SHELL && names('sandbox').length > 0 && (await service('sandbox')).confines();
}

/** A checker as it is started where checkers run in the sandbox, else as it is. Throws what the sandbox throws. */
export async function confineChecker(
  {names, service}: Pick<ServiceContext, 'names' | 'service'>,
  program: Program,
): Promise<Program | Confined> {
  if (names('sandbox').length === 0) return program;
  // It judges, and has nothing to write.
  const request = {...program, roots: [program.cwd], mode: 'plan', purpose: 'checker'} as const;
  return (await (await service('sandbox')).confine(request)) ?? program;
}
