import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** A kernel with the plugin and what it requires; the person says yes. */
export function searchingKernel(options: Omit<TestKernelOptions, 'plugins'> = {}): Promise<TestKernel> {
  return createTestKernel({confirm: 'yes', plugins: ['settings', 'workspace', 'search'].map(pluginRoot), ...options});
}

export interface Said {
  /** What the model reads; undefined when the call failed or was refused. */
  readonly model?: string;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string | undefined;
}

/** What a call comes to, with `~` for the project. */
export async function say(kernel: TestKernel, tool: 'glob' | 'grep_search', input: unknown): Promise<Said> {
  const end = await kernel.call(tool, input);
  const clean = (text: string): string => text.replaceAll(kernel.project, '~');
  if (end.status === 'done') return {model: clean(String(end.result.model))};
  if (end.status === 'refused') return {code: 'refused', message: clean(end.reason)};
  const {code, message, hint} = end.error;
  return {code, message: clean(message), hint: hint === undefined ? undefined : clean(hint)};
}

/** Inputs that no parameter of text takes. */
export const noTexts: readonly (readonly [string, unknown])[] = [
  ['a number', 1],
  ['null', null],
  ['a list', ['a']],
  ['an object', {}],
  ['an empty text', ''],
];

/** What both tools say of places to search in, by the path that they are given. */
export const badPlaces: readonly (readonly [string, string, string, string])[] = [
  ['nothing', 'nope', 'SEARCH_PATH_UNUSABLE', 'Cannot search in ~/nope: it does not exist.'],
  ['a name with a line end', 'a\nb', 'SEARCH_PATH_UNUSABLE', 'Cannot search in "~/a\\nb": it does not exist.'],
  [
    'half of a character',
    'a\ud800b',
    'SEARCH_PATH_UNUSABLE',
    'Cannot search in "~/a\\357\\277\\275b": it does not exist.',
  ],
  ['a pipe', 'pipe', 'SEARCH_PATH_UNUSABLE', 'Cannot search in ~/pipe: it is neither a file nor a directory.'],
  ['a NUL', 'a\0b', 'PATH_INVALID', 'The path "a\\u0000b" contains a NUL character.'],
  [
    'something below a file',
    'a.txt/x',
    'PATH_UNRESOLVABLE',
    'Cannot find the real path of ~/a.txt/x: a part of the path is a file, not a directory.',
  ],
  [
    'links that go in a circle',
    'loop',
    'PATH_UNRESOLVABLE',
    'Cannot find the real path of ~/loop: its symbolic links form a loop.',
  ],
  ['a name of a megabyte', 'x'.repeat(1 << 20), 'PATH_UNRESOLVABLE', 'Cannot find the real path of ~/xxx'],
  ['the world outside', '/', 'PATH_OUTSIDE_WORKSPACE', '/ is outside the workspace.'],
  ['a way out by dots', 'sub/../..', 'PATH_OUTSIDE_WORKSPACE', 'sub/../.. is outside the workspace.'],
  ['a way out by a link', 'out', 'PATH_OUTSIDE_WORKSPACE', 'out is outside the workspace.'],
  ['the home directory', '~', 'PATH_OUTSIDE_WORKSPACE', '~ is outside the workspace.'],
];

/** Globs that are not valid, or would keep a careless reader busy for years. */
export const oddGlobs: readonly (readonly [string, string])[] = [
  ['an open class', '['],
  ['an open choice', '{a'],
  ['an open group', '!('],
  ['three open groups', '((('],
  ['a lone backslash', '\\'],
  ['nothing but a step to itself', './'],
  ['a way out', '../*'],
  ['a place outside', '/etc/*'],
  ['the root', '/'],
  ['an empty choice', '{}'],
  ['a range of a hundred million', '{1..100000000}'],
  ['groups in groups', '+(+(+(a)))b'],
  ['thousands of choices', '{a,b}'.repeat(500)],
  ['thousands of open brackets', '['.repeat(5000)],
  ['thousands of open braces', '{'.repeat(5000)],
  ['thousands of question marks', '?'.repeat(10_000)],
  ['thousands of stars with letters', '*a'.repeat(5000)],
  ['a NUL', 'a\0b'],
  ['a line end', 'a\nb'],
  ['half of a character', 'a\ud800b'],
];

/** Globs that are refused, with what is said. */
export const refusedGlobs: readonly (readonly [string, string, string])[] = [
  ['thousands of open groups', '('.repeat(5000), 'has more than 100 groups.'],
  ['thousands of directories', '*/'.repeat(4000), 'is too long.'],
  ['stars without an end', `${'*a'.repeat(20)}[b]`, `takes too long to hold against ${'a'.repeat(240)}.`],
];
