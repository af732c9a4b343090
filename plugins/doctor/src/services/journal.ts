import {renameSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {appendPrivateFileSync, makePrivateFolderSync, readText} from '@gemini-kernel/files';
import {messageOf, provide, type EndedCall} from '@gemini-kernel/kernel';
import type {CallNote, Journal, KeptCall} from '../contract.js';
import {shorten} from '../shorten.js';

const LARGEST = 1 << 20;

/** Records the outcomes of calls in the cache, one per line, for their owner only; about the newest two megabytes. */
export default provide('journal', {
  version: '1.1.0',
  scope: 'place',
  methods: ['record', 'note', 'find', 'recent'],
  create({environment, tell}): Journal {
    const {cacheDir, cwd} = environment;
    const [file, older] = [join(cacheDir, 'calls.jsonl'), join(cacheDir, 'calls.1.jsonl')];

    const readAll = async (): Promise<readonly KeptCall[]> => {
      const texts = await Promise.all([older, file].map((path) => readText(path).catch(() => '')));
      return joinNotes(texts.join('\n').split('\n').flatMap(parseLine)).reverse();
    };
    const write = (line: object): void => {
      try {
        // A few small steps, ten times quicker than through the thread pool, which every call would wait for.
        makePrivateFolderSync(cacheDir);
        const text = `${JSON.stringify(line)}\n`;
        rotate(file, older);
        appendPrivateFileSync(file, text);
      } catch (error) {
        tell({
          code: 'CALL_NOT_KEPT',
          sentence: `Cannot record this call, so gemini why will not find it: ${messageOf(error)}`,
          once: 'unkept',
        });
      }
    };
    return {
      record: async (call) => write({...(shorten(call) as EndedCall), cwd}),
      note: async (id, note) => write({id, note: shorten(note)}),
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

type Line = KeptCall | {readonly id: string; readonly note: CallNote};

/** Calls with their notes, which stand before or after them. */
function joinNotes(lines: readonly Line[]): KeptCall[] {
  const notes = new Map<string, CallNote[]>();
  for (const line of lines) if ('note' in line) notes.set(line.id, [...(notes.get(line.id) ?? []), line.note]);
  return lines.flatMap((line) => {
    if ('note' in line) return [];
    const own = notes.get(line.id);
    return [own ? {...line, notes: own} : line];
  });
}

/** A line that was cut off when a process died is left out. */
function parseLine(line: string): readonly Line[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as Line];
  } catch {
    // Half a line says nothing.
    return [];
  }
}
