import {open} from 'node:fs/promises';
import {constants} from 'node:fs';
import {FileFault} from '@gemini-kernel/files';

/** As much of the end of a file is looked at. */
const MOST = 1_048_576;

/** Reads the end of a file that grows, and later what was added. */
export class FileEnd {
  #at: number | undefined;

  constructor(private readonly path: string) {}

  /** The text since the last time. Throws FileFault, and what the system says. */
  async read(): Promise<string> {
    const file = await open(this.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await file.stat();
      if (!stat.isFile()) throw new FileFault('ENOTFILE', this.path, 'it is not a regular file');
      // A file that is shorter than before is another one.
      const from = this.#at !== undefined && this.#at <= stat.size ? this.#at : Math.max(0, stat.size - MOST);
      const bytes = Buffer.alloc(Math.min(MOST, stat.size - from));
      const {bytesRead} = await file.read(bytes, 0, bytes.length, from);
      this.#at = from + bytesRead;
      return bytes.subarray(0, bytesRead).toString();
    } finally {
      await file.close();
    }
  }
}
