import type {ServiceContext} from '@gemini-kernel/kernel';
import type {ModeLimits} from './contract.js';

/** What all files of rules say about programs in a mode. Throws what their readers throw. */
export async function readLimits(
  {names, service}: Pick<ServiceContext, 'names' | 'service'>,
  mode: string,
): Promise<ModeLimits> {
  const readers = names('sandbox-modes').map((name) => service(name as `sandbox-modes:${string}`));
  const all = await Promise.all(readers.map(async (reader) => (await reader).read(mode)));
  return Object.assign({}, ...all) as ModeLimits;
}
