import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';

/** A server as it is started where servers run in the sandbox, else as it is. Throws what the sandbox throws. */
export async function confineServer(
  {names, service, environment}: Pick<ServiceContext, 'names' | 'service' | 'environment'>,
  program: Program,
): Promise<Program | Confined> {
  if (names('sandbox').length === 0) return program;
  const roots = [...new Set([environment.cwd, program.cwd])];
  const request = {...program, roots, mode: 'default', purpose: 'server'} as const;
  return (await (await service('sandbox')).confine(request)) ?? program;
}
