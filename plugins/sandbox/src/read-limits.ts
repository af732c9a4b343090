import type {ServiceContext} from '@gemini-kernel/kernel';
import type {ModeLimits} from './contract.js';

/** What files of rules say about programs in a mode. Throws what their reader throws. */
export async function readLimits(
  {names, service}: Pick<ServiceContext, 'names' | 'service'>,
  mode: string,
): Promise<ModeLimits> {
  return names('sandbox-modes').length > 0 ? (await service('sandbox-modes')).read(mode) : {};
}
