import {parentPort, type MessagePort} from 'node:worker_threads';
import {Readers} from '../parse/parsers.js';
import {NameTable} from './name-table.js';
import {parseFile, shareInts, type ParsedFile} from './parsed-file.js';

/** A thread that knows more names forgets them: each thread has names of its own. */
const MOST_NAMES = 50_000;

/** What a thread answers to a batch of paths. */
export interface ParsedBatch {
  /** Names that are new since the last batch, in the order of their numbers. */
  readonly names: readonly string[];
  /** Whether the numbers begin again with these names. */
  readonly isFresh: boolean;
  readonly files: readonly ParsedFile[];
}

function answerBatches(port: MessagePort): void {
  const readers = new Readers();
  let turn: Promise<void> = Promise.resolve();
  let names = new NameTable();
  let sent = 0;
  port.on('message', (paths: readonly string[]) => {
    turn = turn.then(async () => {
      if (names.size > MOST_NAMES) [names, sent] = [new NameTable(), 0];
      const files: ParsedFile[] = [];
      for (const path of paths) files.push(await parseFile(path, readers, names));
      const batch: ParsedBatch = {names: names.all().slice(sent), isFresh: sent === 0, files: shareInts(files)};
      sent = names.size;
      port.postMessage(batch);
    });
  });
}

// This is where a thread begins: it is imported to work, and does nothing elsewhere.
// eslint-disable-next-line house/no-work-on-import
if (parentPort) answerBatches(parentPort);
