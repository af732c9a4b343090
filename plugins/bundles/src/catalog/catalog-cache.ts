import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import type {CatalogTexts} from './fetch-catalog.js';

export interface KeptCatalog extends CatalogTexts {
  /** When it was fetched, or found unchanged. */
  readonly fetched: string;
  /** The highest serial that a signed catalog of this address had. */
  readonly serial?: number;
}

/** Catalogs as they were fetched last. What is kept is checked again when it is used. */
export class CatalogCache {
  constructor(private readonly folder: string) {}

  /** Undefined for an address that was not fetched before, and for a file that is damaged. */
  async read(url: string): Promise<KeptCatalog | undefined> {
    try {
      const value = JSON.parse(await readText(this.#file(url))) as Partial<KeptCatalog & {url: string}> | null;
      const {text, fetched, signatures, etag, serial} = value ?? {};
      if (value?.url !== url || typeof text !== 'string' || typeof fetched !== 'string') return undefined;
      if (Number.isNaN(Date.parse(fetched))) return undefined;
      return {
        ...{text, fetched},
        ...(typeof signatures === 'string' ? {signatures} : {}),
        ...(typeof etag === 'string' ? {etag} : {}),
        ...(typeof serial === 'number' ? {serial} : {}),
      };
    } catch {
      // Missing, unreadable or damaged: it is fetched again.
      return undefined;
    }
  }

  /** Returns whether it could be kept: a folder that cannot be written costs only the copy. */
  async keep(url: string, kept: KeptCatalog): Promise<boolean> {
    try {
      await makePrivateFolder(this.folder);
      await writeAtomically(this.#file(url), JSON.stringify({url, ...kept}));
      return true;
    } catch {
      // The answer at hand is used all the same.
      return false;
    }
  }

  #file(url: string): string {
    return join(this.folder, `${createHash('sha256').update(url).digest('hex')}.json`);
  }
}
