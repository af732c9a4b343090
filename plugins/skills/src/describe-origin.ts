import type {Skill} from './contract.js';

/** Who wrote a skill, in words. */
export function describeOrigin({origin, owner}: Pick<Skill, 'origin' | 'owner'>): string {
  if (origin === 'extension') return `of the extension ${owner ?? 'without a name'}`;
  if (origin === 'bundle') return `of the bundle ${owner ?? 'without a name'}`;
  return {'built-in': 'built in', user: 'yours', project: 'of this project'}[origin];
}
