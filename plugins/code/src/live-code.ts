import {ToolError} from '@gemini-kernel/kernel';
import type {Code, CodeStatus, FindRequest, Found, FoundSymbol, Outline, RankedFile, Reference} from './contract.js';
import {implementationsOf} from './find/implementations.js';
import {rankFiles} from './find/rank-files.js';
import {referencesTo} from './find/references-to.js';
import {similarNames} from './find/similar-names.js';
import {isMeant, readName} from './find/symbol-name.js';
import {isWithin} from './find/within.js';
import {languageOf} from './languages/languages.js';
import {readSymbols} from './parse/read-symbols.js';
import {signatureOf} from './parse/signature.js';
import {readSource, stampAt} from './parse/source-file.js';
import type {Search} from './search-service.js';
import {statusOf} from './status-of.js';
import type {Updated} from './table/code-index.js';
import type {FileEntry} from './table/file-entry.js';
import type {LiveIndex} from './table/live-index.js';
import {codeFiles} from './workspace-code.js';

const MOST_FOUND = 100;
/** Outlines that are kept, for one that is asked for again. */
const KEPT_OUTLINES = 8;

interface CodeParts {
  readonly index: LiveIndex;
  readonly search: Search;
  /** Aborted when the session closes. */
  readonly signal: AbortSignal;
}

/** The code of the workspace of one session. */
export class LiveCode implements Code {
  readonly #outlines = new Map<string, Outline & {readonly stamp: string}>();

  constructor(private readonly parts: CodeParts) {}

  async outline(path: string): Promise<Outline> {
    const known = this.#outlines.get(path);
    if (known && known.stamp === stampAt(path)) return known;
    const language = languageOf(path);
    if (!language)
      throw new ToolError('CODE_LANGUAGE_UNKNOWN', `${path} is in no language that the code tools read.`, {
        hint: 'Read it with read_file.',
      });
    const source = readSource(path);
    if ('fault' in source)
      throw new ToolError('CODE_UNREADABLE', `${path} ${source.fault}, so it is not read as code.`, {
        hint: 'Use read_file or grep_search.',
      });
    const reader = await this.parts.index.readers.get(language);
    const {text, stamp} = source;
    const read = reader.read(text, (root) => ({symbols: readSymbols(root, reader, text), hasFaults: root.hasError}));
    if (!read)
      throw new ToolError('CODE_TOO_COMPLEX', `${path} takes too long to read as ${language.name}.`, {
        hint: 'Use read_file with start_line and end_line, or grep_search.',
      });
    const outline = {path, language: language.name, text, stamp, ...read};
    this.#outlines.delete(path);
    this.#outlines.set(path, outline);
    const [oldest] = this.#outlines.keys();
    if (this.#outlines.size > KEPT_OUTLINES && oldest !== undefined) this.#outlines.delete(oldest);
    return outline;
  }

  async ranked(path?: string, signal?: AbortSignal): Promise<readonly RankedFile[]> {
    return rankFiles((await this.#update(signal)).table, path);
  }

  async definitions(request: FindRequest): Promise<Found<FoundSymbol>> {
    const {table} = await this.#update(request.signal);
    const wanted = readName(request.name);
    const found: {readonly file: FileEntry; readonly symbol: FoundSymbol['symbol']}[] = [];
    for (const one of table.definitions(wanted.name))
      if (isMeant(one.symbol, wanted) && isAsked(one.file.path, request)) found.push(one);
    if (found.some(({file}) => stampAt(file.path) !== file.stamp)) {
      this.parts.index.touched();
      return this.definitions(request);
    }
    found.sort((a, b) => compare(a.file.path, b.file.path) || a.symbol.start - b.symbol.start);
    const most = request.most ?? MOST_FOUND;
    return {items: found.slice(0, most).flatMap(foundSymbol), isLimited: found.length > most};
  }

  async references(request: FindRequest): Promise<Found<Reference>> {
    const {table} = await this.#update(request.signal);
    const {readers} = this.parts.index;
    return referencesTo(
      {...request, most: request.most ?? MOST_FOUND},
      {table, readers, signal: this.#signal(request)},
    );
  }

  async implementations(request: FindRequest): Promise<Found<FoundSymbol>> {
    const {table} = await this.#update(request.signal);
    const {readers} = this.parts.index;
    const all = await implementationsOf(readName(request.name), {table, readers, signal: this.#signal(request)});
    const meant = all.filter(({file}) => isWithin(file.path, request.path));
    const most = request.most ?? MOST_FOUND;
    return {items: meant.slice(0, most).flatMap(foundSymbol), isLimited: meant.length > most};
  }

  async similar(name: string, signal?: AbortSignal): Promise<readonly string[]> {
    return similarNames((await this.#update(signal)).table, readName(name).name);
  }

  async status(signal?: AbortSignal): Promise<CodeStatus> {
    return statusOf(await this.#update(signal), this.parts.index.file);
  }

  #update(signal?: AbortSignal): Promise<Updated> {
    return this.parts.index.update(codeFiles(this.parts.search), this.#signal(signal ? {signal} : {}));
  }

  #signal({signal}: {readonly signal?: AbortSignal}): AbortSignal {
    return signal ? AbortSignal.any([signal, this.parts.signal]) : this.parts.signal;
  }
}

function isAsked(path: string, {path: around, definedIn}: FindRequest): boolean {
  return isWithin(path, around) && (definedIn === undefined || path === definedIn);
}

function foundSymbol({
  file,
  symbol,
}: {
  readonly file: FileEntry;
  readonly symbol: FoundSymbol['symbol'];
}): readonly FoundSymbol[] {
  const source = readSource(file.path);
  return 'fault' in source ? [] : [{path: file.path, symbol, signature: signatureOf(source.text, symbol)}];
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
