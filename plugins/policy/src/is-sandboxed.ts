import type {ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-sandbox/contract';

/** Whether commands are confined. A sandbox that cannot be used does not count: the command then does not run. */
export async function isSandboxed({names, service}: Pick<ServiceContext, 'names' | 'service'>): Promise<boolean> {
  return names('sandbox').length > 0 && (await service('sandbox')).confines();
}
