import {parentPort, workerData, type MessagePort} from 'node:worker_threads';
import {getDocumentProxy} from 'unpdf';

/** A document, and after how many characters no more pages are read. */
export interface PdfTask {
  readonly bytes: Uint8Array;
  readonly most: number;
}

/** The texts of the pages that were read, and how many pages there are. */
export interface PdfPages {
  readonly count: number;
  readonly pages: readonly string[];
}

async function sendPages(port: MessagePort, {bytes, most}: PdfTask): Promise<void> {
  const document = await getDocumentProxy(bytes);
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= document.numPages && length < most; number += 1) {
    const page = await document.getPage(number);
    const {items} = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    pages.push(text);
    length += text.length;
    page.cleanup();
  }
  port.postMessage({count: document.numPages, pages} satisfies PdfPages);
}

// This is where a thread begins: it is imported to work, and does nothing elsewhere.
// eslint-disable-next-line house/no-work-on-import
if (parentPort) await sendPages(parentPort, workerData as PdfTask);
