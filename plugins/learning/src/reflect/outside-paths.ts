import {dirname, isAbsolute} from 'node:path';
import type {CallRecord} from '@gemini-kernel/plugin-agent/contract';
import type {Finding} from '../contract.js';
import {groupBy, idsOf, quote} from './evidence.js';
import {shellQuote} from './shell-quote.js';

const TIMES = 3;
const KEYS = ['file_path', 'dir_path', 'path', 'absolute_path'];

/** One directory outside of the workspace tried again and again: a setting lets tools reach it. */
export function findOutsidePaths(calls: readonly CallRecord[]): readonly Finding[] {
  const outside = calls
    .filter(({error}) => error?.code === 'PATH_OUTSIDE_WORKSPACE')
    .flatMap((call) => {
      const directory = directoryOf(call);
      return directory === undefined ? [] : [{directory, call}];
    });
  return [...groupBy(outside, ({directory}) => directory)]
    .filter(([, own]) => own.length >= TIMES)
    .map(([directory, own]): Finding => ({
      kind: 'setting',
      sentence: `Tools could not reach ${quote(directory)} ${own.length} times. If they may, add it for this project.`,
      evidence: idsOf(own.map(({call}) => call)),
      command: `gemini directory add ${shellQuote(directory)} --scope project`,
    }));
}

/** Never the root of the file system. */
function directoryOf({input}: CallRecord): string | undefined {
  const given = KEYS.map((key) => (input as Readonly<Record<string, unknown>> | null)?.[key]);
  const path = given.find((one): one is string => typeof one === 'string' && isAbsolute(one));
  const directory = path === undefined ? undefined : dirname(path);
  return directory === undefined || dirname(directory) === directory ? undefined : directory;
}
