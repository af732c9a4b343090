import {renameSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {appendPrivateFileSync, makePrivateFolderSync, readText} from '@gemini-kernel/files';
import {messageOf, provide, type EndedCall} from '@gemini-kernel/kernel';
import type {Journal, KeptCall} from '../contract.js';
import {shorten} from '../shorten.js';

const LARGEST = 1 << 20;

/** Records the outcomes of calls in the cache, one per line, for their owner only; about the newest two megabytes. */
export default provide('journal', {
  version: '1.0.0',
  scope: 'place',
  methods: ['record', 'find', 'recent'],
  create({environment, tell}): Journal {
    const {cacheDir, cwd} = environment;
    const [file, older] = [join(cacheDir, 'calls.jsonl'), join(cacheDir, 'calls.1.jsonl')];

    const readAll = async (): Promise<readonly KeptCall[]> => {
      const texts = await Promise.all([older, file].map((path) => readText(path).catch(() => '')));
      return texts.join('\n').split('\n').flatMap(parseLine).reverse();
    };
    return {
      async record(call) {
        try {
          // A few small steps, ten times quicker than through the thread pool, which every call would wait for.
          makePrivateFolderSync(cacheDir);
          const line = `${JSON.stringify({...(shorten(call) as EndedCall), cwd})}\n`;
          rotate(file, older);
          appendPrivateFileSync(file, line);
        } catch (error) {
          tell({
            code: 'CALL_NOT_KEPT',
            sentence: `Cannot record this call, so gemini why will not find it: ${messageOf(error)}`,
            once: 'unkept',
          });
        }
      },
      async find(id) {
        const calls = await readAll();
        return id === 'last'
          ? calls[0]
          : (calls.find((call) => call.id === id) ?? calls.find((call) => call.id.startsWith(id)));
      },
      recent: async (count) => (await readAll()).slice(0, count),
    };
  },
});

function rotate(file: string, older: string): void {
  const found = statSync(file, {throwIfNoEntry: false});
  if (found && found.size > LARGEST) renameSync(file, older);
}

/** A line that was cut off when a process died is left out. */
function parseLine(line: string): readonly KeptCall[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as KeptCall];
  } catch {
    // Half a line says nothing.
    return [];
  }
}
