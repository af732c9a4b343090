import {readRegular} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {writeWhole} from '../install/commit/write-whole.js';
import {systemFault} from '../system-faults.js';
import {readSignatures, signCatalog} from './catalog-signature.js';
import {decode} from './fetch-catalog.js';
import {MOST_BYTES, parseCatalog, type ParsedCatalog} from './parse-catalog.js';

export interface CheckedCatalog extends Pick<ParsedCatalog, 'name'> {
  readonly file: string;
  readonly entries: number;
  /** Names of the keys that signed it; whether they did is for those to check who know them. */
  readonly signers: readonly string[];
}

interface ReadCatalog extends CheckedCatalog {
  readonly text: string;
  readonly signatures: string | undefined;
}

/** Reads a catalog of its author. Throws KernelError CATALOG_INVALID or CATALOG_UNREACHABLE. */
export async function checkCatalog(file: string): Promise<CheckedCatalog> {
  const {text: _, signatures: __, ...checked} = await readCatalog(file);
  return checked;
}

/** Adds a signature to the file beside a catalog. Throws also KernelError BUNDLE_KEY_UNUSABLE or INSTALL_UNWRITABLE. */
export async function signCatalogFile(file: string, keyFile: string, keyName: string): Promise<CheckedCatalog> {
  const {text, signatures, ...checked} = await readCatalog(file);
  const privateKey = await readPart(keyFile, 'BUNDLE_KEY_UNUSABLE');
  const added = signCatalog(text, keyName, privateKey ?? '');
  const others = readSignatures(signatures, file).filter(({key}) => key !== keyName);
  const all = [...others, added].sort((a, b) => (a.key < b.key ? -1 : 1));
  try {
    await writeWhole(`${file}.sig`, `${JSON.stringify(all, null, 2)}\n`);
  } catch (error) {
    throw systemFault(error, {code: 'INSTALL_UNWRITABLE', act: `Cannot write ${file}.sig`});
  }
  return {...checked, signers: all.map(({key}) => key)};
}

async function readCatalog(file: string): Promise<ReadCatalog> {
  const text = (await readPart(file, 'CATALOG_UNREACHABLE')) ?? '';
  const {name, entries} = await parseCatalog(text, file);
  const signatures = await readPart(`${file}.sig`, undefined);
  const signers = readSignatures(signatures, file).map(({key}) => key);
  return {file, name, entries: entries.length, signers, text, signatures};
}

/** The text of a file; one that may be missing has no `code`. */
async function readPart(
  path: string,
  code: 'BUNDLE_KEY_UNUSABLE' | 'CATALOG_UNREACHABLE' | undefined,
): Promise<string | undefined> {
  try {
    return decode(await readRegular(path, {limit: MOST_BYTES}), path);
  } catch (cause) {
    if (cause instanceof KernelError) throw cause;
    if (code === undefined && (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new KernelError(code ?? 'CATALOG_UNREACHABLE', `Cannot read ${path}: ${messageOf(cause)}.`, {cause});
  }
}
