import {appendPrivateFile} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {Batch, Sink, Source} from '../../record/records.js';
import {toRequests} from '../otlp/otlp-json.js';
import {SendFailure} from '../send-failure.js';
import {toReferenceLayout} from './reference-layout.js';

export type Layout = 'gemini-cli' | 'otlp-lines';

/** Appends to a file that only the person can read. */
export class FileSink implements Sink {
  constructor(
    readonly name: string,
    private readonly layout: Layout,
    private readonly source: Source,
  ) {}

  async send(batch: Batch): Promise<void> {
    // In one write: other processes append to the same file.
    await appendPrivateFile(this.name, this.#write(batch)).catch((error: unknown) => {
      throw new SendFailure(`${this.name} cannot be written: ${messageOf(error)}`, {canRetry: false});
    });
  }

  async close(): Promise<void> {
    // The file is closed after each batch.
  }

  #write(batch: Batch): string {
    if (this.layout === 'gemini-cli') return toReferenceLayout(batch, this.source);
    return toRequests(batch, this.source)
      .map(({body}) => `${JSON.stringify(body)}\n`)
      .join('');
  }
}
