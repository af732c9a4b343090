import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';

/** A hook as it is started where hooks run in the sandbox, else as it is. Throws what the sandbox throws. */
export async function confineHook(
  {names, service}: Pick<ServiceContext, 'names' | 'service'>,
  program: Program,
): Promise<Program | Confined> {
  if (names('sandbox').length === 0) return program;
  const request = {...program, roots: [program.cwd], mode: 'default', purpose: 'hook'} as const;
  return (await (await service('sandbox')).confine(request)) ?? program;
}
