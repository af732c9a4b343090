import {createHash} from 'node:crypto';
import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import type {Part} from '@gemini-kernel/kernel';
import {textOf} from '../plan/stand-in.js';

/** One file of an output. */
export interface OutputFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'audio/wav': 'wav',
  'audio/mp3': 'mp3',
};

/**
 * The files of one session that have what requests leave out. The name follows from the content, so a file that is
 * there and as long as the content is that content. Whatever is not there is written again from the history.
 */
export class OutputFiles {
  readonly #kept = new Set<string>();

  constructor(readonly folder: string) {}

  /** The files of an output: its text, then each picture or document. */
  plan(tool: string, output: readonly Part[]): readonly OutputFile[] {
    const text = textOf(output);
    const media = output.flatMap((part) => ('text' in part ? [] : [part.inlineData]));
    return [
      ...(text === '' ? [] : [this.planText(tool, text)]),
      ...media.map(({mimeType, data}) => {
        const bytes = Buffer.from(data, 'base64');
        return {path: this.#nameOf(tool, bytes, ENDINGS[mimeType] ?? 'bin'), content: bytes};
      }),
    ];
  }

  planText(tool: string, text: string): OutputFile {
    return {path: this.#nameOf(tool, text, 'txt'), content: text};
  }

  /** Writes what is missing. Rejects with the error of the file system. */
  async keep(files: readonly OutputFile[]): Promise<void> {
    const missing = files.filter(({path}) => !this.#kept.has(path));
    if (missing.length === 0) return;
    await makePrivateFolder(this.folder);
    for (const {path, content} of missing) {
      if (!(await isThere(path, content))) await writeAtomically(path, content, {durable: false});
      this.#kept.add(path);
    }
  }

  #nameOf(tool: string, content: string | Uint8Array, ending: string): string {
    const name = tool.replaceAll(/[^\w-]/g, '_').slice(0, 40);
    const mark = createHash('sha256').update(content).digest('hex').slice(0, 12);
    return join(this.folder, `${name}-${mark}.${ending}`);
  }
}

async function isThere(path: string, content: string | Uint8Array): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found?.isFile() === true && found.size === Buffer.byteLength(content);
}
