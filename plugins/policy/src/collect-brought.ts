import type {ServiceContext} from '@gemini-kernel/kernel';
import type {BroughtRules} from './contract.js';

/** The rules that other plugins bring. What cannot be listed keeps every call from running: it may be a refusal. */
export async function collectBrought({
  names,
  service,
}: Pick<ServiceContext, 'names' | 'service'>): Promise<readonly BroughtRules[]> {
  const sources = names('rules').map((name) => service(name as `rules:${string}`));
  return (await Promise.all(sources.map(async (source) => (await source).list()))).flat();
}
