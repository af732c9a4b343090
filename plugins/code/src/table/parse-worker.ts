import {parentPort, type MessagePort} from 'node:worker_threads';
import {Readers} from '../parse/parsers.js';
import {parseFile, type ParsedFile} from './parsed-file.js';

function answerBatches(port: MessagePort): void {
  const readers = new Readers();
  let turn: Promise<void> = Promise.resolve();
  port.on('message', (paths: readonly string[]) => {
    turn = turn.then(async () => {
      const files: ParsedFile[] = [];
      for (const path of paths) files.push(await parseFile(path, readers));
      port.postMessage(files);
    });
  });
}

// This is where a thread begins: it is imported to work, and does nothing elsewhere.
// eslint-disable-next-line house/no-work-on-import
if (parentPort) answerBatches(parentPort);
