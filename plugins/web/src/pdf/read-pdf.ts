import {Worker} from 'node:worker_threads';
import type {PdfPages, PdfTask} from './pdf-worker.js';

/** Of a document that was made to take forever. */
const LONGEST_MS = 15_000;
const MOST_MEGABYTES = 256;
const MOST_TEXT = 2_000_000;
/** Fewer characters a page are what a scanner adds. */
const LEAST_PER_PAGE = 20;

/** The text of a PDF, page by page; undefined when it has none, is broken, or asks for too much time or memory. */
export async function readPdf(bytes: Uint8Array): Promise<string | undefined> {
  const read = await readApart(bytes);
  if (!read || read.pages.join('').trim().length < LEAST_PER_PAGE * Math.min(read.pages.length, 3)) return undefined;
  const rest =
    read.pages.length < read.count ? [`[The other ${read.count - read.pages.length} pages are left out.]`] : [];
  return [...read.pages.map((text, index) => `## Page ${index + 1}\n\n${text.trim()}`), ...rest].join('\n\n');
}

/** In a thread of its own, which can be ended: a document is a program, in a way. */
function readApart(bytes: Uint8Array): Promise<PdfPages | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pdf-worker.js', import.meta.url), {
      workerData: {bytes, most: MOST_TEXT} satisfies PdfTask,
      resourceLimits: {maxOldGenerationSizeMb: MOST_MEGABYTES},
      ...{env: {}, execArgv: []},
      stdout: true,
      stderr: true,
    });
    let read: PdfPages | undefined;
    const stop = (): void => void worker.terminate();
    const timer = setTimeout(stop, LONGEST_MS);
    worker.once('message', (pages: PdfPages) => {
      read = pages;
      stop();
    });
    // It is followed by the exit, as the end of the time is.
    worker.once('error', () => undefined);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(read);
    });
  });
}
