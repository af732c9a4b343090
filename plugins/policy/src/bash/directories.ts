import {posix} from 'node:path';
import type {ShellPlace} from './analysis.js';
import type {ShellWord} from './syntax.js';
import {doubt, stay, type Directory, type Handler, type Outcome, type Position, type Walk} from './walk.js';

/**
 * The absolute path that a name means. A `..` behind a name stays in it, for that name may be a link: only looking would tell
 * where it leads.
 */
export function resolvePath(name: string, directory: Directory, {directory: start}: ShellPlace): string | undefined {
  if (name === '') return undefined;
  if (name.startsWith('/')) return tidy('/', name);
  if (typeof directory !== 'string') return undefined;
  let base = directory;
  let rest = name;
  while (base === start || start.startsWith(`${base}/`) || base === '/') {
    const up = /^(?:\.\/+)*\.\.(?:\/+|$)/.exec(rest);
    if (!up) break;
    base = posix.dirname(base);
    rest = rest.slice(up[0].length);
  }
  return tidy(base, rest);
}

function tidy(base: string, name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? base : `${base === '/' ? '' : base}/${parts.join('/')}`;
}

/** `cd`, `pushd` and `popd`: where the shell is afterwards. */
export const changeDirectory: Handler = (walk, words, position) => {
  const [name, ...given] = words;
  const isFollowed = given[0]?.value !== '-P' && given[0]?.value !== '-e';
  const operands = given.filter(({value}, index) => !(value !== undefined && /^(?:-[LPe@]+|--)$/.test(value) && index === 0));
  const [target] = operands;
  if (walk.movesInFunction === false && position.via.some((step) => step.startsWith('function '))) walk.movesInFunction = true;
  if (name?.value === 'popd' || operands.length > 1) return lose(position);
  if (!target) return name?.value === 'cd' ? goTo(walk, position, walk.place.home) : lose(position);
  const goal = goalOf(target, {walk, position, isFollowed});
  walk.files.push({raw: target.raw, path: goal, access: 'read', by: 'cd'});
  return goal === undefined ? lose(position) : goTo(walk, position, goal);
};

function goalOf({value}: ShellWord, {walk, position, isFollowed}: {walk: Walk; position: Position; isFollowed: boolean}): string | undefined {
  if (value === undefined || value === '' || /^[-+]\d*$/.test(value)) return undefined;
  if (!isFollowed && value.includes('..')) return resolvePath(value, position.directory, walk.place);
  if (value.startsWith('/')) return posix.normalize(value).replace(/(?<=.)\/$/, '');
  return typeof position.directory === 'string' ? posix.join(position.directory, value).replace(/(?<=.)\/$/, '') : undefined;
}

function goTo({place: {directory: start, home}}: Walk, {directory}: Position, goal: string): Outcome {
  // Only of these is it sure that they can be gone to.
  const exists = goal === start || goal === '/' || goal === home || start.startsWith(`${goal}/`);
  return {success: goal, failure: exists ? null : directory};
}

function lose({directory}: Position): Outcome {
  return {success: undefined, failure: directory};
}

/** After a call of a function that may have gone elsewhere. */
export function afterCall(walk: Walk, position: Position): Outcome {
  return walk.movesInFunction ? lose(position) : stay(position);
}

/** `source` and `.`: they run what a file holds. */
export const runFile: Handler = (walk, words, position) => {
  const [, file] = words;
  if (file?.value !== undefined) walk.files.push({raw: file.raw, path: resolvePath(file.value, position.directory, walk.place), access: 'read', by: 'argument'});
  doubt(walk, 'What it runs is written in a file.', words.map(({raw}) => raw).join(' '));
  return lose(position);
};
