import type {NewPlugin} from '../new-plugin.js';

/** The types that other plugins may import. */
export function contract({noun, kinds}: NewPlugin): string {
  const moment = kinds.has('hook')
    ? `  interface Moments {\n    /** The words of a file were counted. */\n    '${noun}:counted': {kind: 'notify'; ` +
      `payload: Count & {readonly path: string}};\n  }\n`
    : '';
  return `import type {} from '@gemini-kernel/kernel';

export interface Count {
  readonly words: number;
  readonly lines: number;
}

/** Counts the words and lines of files. */
export interface Counter {
  /** Throws ToolError TEXT_UNREADABLE. */
  count(path: string): Promise<Count>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    ${keyOf(noun)}: Counter;
  }
${moment}}
`;
}

/** A service that other plugins ask for by name. */
export function wordsService({noun, kinds}: NewPlugin): string {
  const tells = kinds.has('hook');
  const work = tells
    ? `        const count = await countWords(await workspace.resolve(path), signal);
        await dispatch('${noun}:counted', {path, ...count});
        return count;
`
    : '        return countWords(await workspace.resolve(path), signal);\n';
  return `import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Counter} from '../contract.js';
import {countWords} from '../count-words.js';

export default provide('${noun}', {
  version: '1.0.0',
  scope: 'session',
  methods: ['count'],
  async create({service, ${tells ? 'dispatch, ' : ''}signal}): Promise<Counter> {
    const workspace = await service('workspace');
    return {
      async count(path) {
${work}      },
    };
  },
});
`;
}

/** A moment that the plugin owns. */
export function countedHook({noun}: NewPlugin): string {
  return `import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

export default defineHook('${noun}:counted', {kind: 'notify', description: 'The words of a file were counted.'});
`;
}

function keyOf(noun: string): string {
  return noun.includes('-') ? `'${noun}'` : noun;
}
