import {ToolError} from '@gemini-kernel/kernel';
import type {LineSpan} from '../change.js';
import type {Codec} from '../encoding.js';
import {READ_LIMIT, tooLargeToCompare} from '../opened-file.js';
import type {Edit, Search, Strategy} from './edit.js';
import {exact} from './exact.js';
import {flexible} from './flexible.js';
import {fuzzy} from './fuzzy.js';
import {findNearestLines} from './nearest-lines.js';
import {regex} from './regex.js';
import {byteEdits, normalizeLineEnds, splice, type ByteEdit} from './splice.js';

export type StrategyName = 'exact' | 'flexible' | 'regex' | 'fuzzy';

/** What a replacement will do to a file; nothing has been changed yet. */
export interface ReplacePlan {
  /** The new content. */
  readonly pieces: readonly Buffer[];
  readonly strategy: StrategyName;
  /** Where the new text is, one span for each replacement. */
  readonly places: readonly LineSpan[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

export interface ReplaceRequest {
  readonly path: string;
  readonly bytes: Buffer;
  readonly codec: Codec;
  readonly oldText: string;
  readonly newText: string;
  readonly allowMultiple: boolean;
  /** Whether an error may show lines of the file: not before the file was read or the edit allowed. */
  readonly mayQuote: boolean;
}

/** Each place takes memory. */
const MOST_PLACES = 200_000;

// The first one that finds anything decides.
const STRATEGIES: readonly (readonly [StrategyName, Strategy])[] = [
  ['exact', exact],
  ['flexible', flexible],
  ['regex', regex],
  ['fuzzy', fuzzy],
];

/** Where an edit is: lines of the old file, and how many line ends it takes and gives. */
interface Place {
  readonly line: number;
  readonly removed: number;
  readonly added: number;
  readonly closed: boolean;
}

/** Finds what to replace; throws EDIT_NO_CHANGE, EDIT_NOT_FOUND, EDIT_AMBIGUOUS or TEXT_UNENCODABLE. */
export function planReplace(request: ReplaceRequest): ReplacePlan {
  const old = normalizeLineEnds(request.oldText);
  const replacement = normalizeLineEnds(request.newText);
  if (old === replacement) {
    throw new ToolError('EDIT_NO_CHANGE', 'old_string and new_string are the same, so nothing would change.', {
      hint: 'replace keeps the line ends of the file; use a new_string that differs in more than line ends.',
    });
  }
  const plan = planInBytes(request, old, replacement);
  if (plan) return plan;
  // Text takes twice the memory, and looking for what is nearly the same takes long.
  if (request.bytes.length > READ_LIMIT) throw tooLargeToCompare(request.path, BigInt(request.bytes.length));
  return planInText(request, old, replacement);
}

/** The short way for the usual case, exact text in UTF-8: no decoding, whatever the size. */
function planInBytes(request: ReplaceRequest, old: string, replacement: string): ReplacePlan | undefined {
  const {bytes, codec, path, allowMultiple} = request;
  const hasLineEnds = /[\r\n]/.test(old) || /[\r\n]/.test(replacement);
  if (codec.name !== 'utf-8' || (hasLineEnds && bytes.includes(13))) return undefined;
  const needle = codec.encode(old);
  const encoded = codec.encode(replacement);
  const edits: ByteEdit[] = [];
  const places: Place[] = [];
  let line = 1;
  let counted = 0;
  for (let at = bytes.indexOf(needle, codec.mark.length); at !== -1; at = bytes.indexOf(needle, at + needle.length)) {
    line += countLineEnds(bytes, counted, at);
    counted = at;
    edits.push({start: at, end: at + needle.length, bytes: encoded});
    places.push(placeOf(line, old, replacement));
    if (places.length > MOST_PLACES) throw tooMany(path);
  }
  if (edits.length === 0) return undefined;
  if (edits.length > 1 && !allowMultiple) throw ambiguous(path, 'exact', places);
  return {pieces: splice(bytes, edits), strategy: 'exact', ...summaryOf(places)};
}

function planInText(request: ReplaceRequest, old: string, replacement: string): ReplacePlan {
  const {path, bytes, codec, allowMultiple} = request;
  const raw = codec.decode(bytes.subarray(codec.mark.length));
  const search: Search = {text: normalizeLineEnds(raw), old, replacement};
  const [strategy, edits] = findEdits(search);
  if (strategy === undefined) throw notFound(path, search, request.mayQuote);
  const places = placesOf(search.text, edits);
  if (edits.length > 1 && !allowMultiple) throw ambiguous(path, strategy, places);
  if (edits.every(({start, end, text}) => search.text.slice(start, end) === text)) {
    throw new ToolError(
      'EDIT_NO_CHANGE',
      `${path} already has new_string where old_string was found (${strategy} match).`,
      {hint: 'Read the file to see its current content.'},
    );
  }
  const spliced = byteEdits({content: bytes, codec, raw, normalized: search.text, edits});
  if (spliced === undefined) {
    throw new ToolError(
      'FILE_ENCODING_UNKNOWN',
      `${path} cannot be edited as ${codec.name} without changing other bytes.`,
      {hint: 'Ask the user to convert the file to UTF-8 first.'},
    );
  }
  return {pieces: splice(bytes, spliced), strategy, ...summaryOf(places)};
}

function findEdits(search: Search): readonly [StrategyName, readonly Edit[]] | readonly [undefined, readonly Edit[]] {
  for (const [name, strategy] of STRATEGIES) {
    const edits = strategy(search);
    if (edits.length > 0) return [name, edits];
  }
  return [undefined, []];
}

function placesOf(text: string, edits: readonly Edit[]): readonly Place[] {
  let line = 1;
  let counted = 0;
  return edits.map(({start, end, text: replacement}) => {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) line++;
    counted = start;
    return placeOf(line, text.slice(start, end), replacement);
  });
}

function placeOf(line: number, old: string, replacement: string): Place {
  return {
    line,
    removed: old.split('\n').length - 1,
    added: replacement.split('\n').length - 1,
    closed: replacement.endsWith('\n'),
  };
}

function summaryOf(places: readonly Place[]): Pick<ReplacePlan, 'places' | 'linesAdded' | 'linesRemoved'> {
  let shift = 0;
  let [linesAdded, linesRemoved] = [0, 0];
  const spans = places.map(({line, removed, added, closed}) => {
    const first = line + shift;
    shift += added - removed;
    linesAdded += added + (closed ? 0 : 1);
    linesRemoved += removed + (closed ? 0 : 1);
    return {first, last: Math.max(first, first + added - (closed ? 1 : 0))};
  });
  return {places: spans, linesAdded, linesRemoved};
}

function countLineEnds(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(10, from); at !== -1 && at < to; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

function tooMany(path: string): ToolError {
  return new ToolError('EDIT_AMBIGUOUS', `old_string is found more than ${MOST_PLACES} times in ${path}.`, {
    hint: 'Use a longer old_string, or change them all with run_shell_command and sed or a script.',
  });
}

function ambiguous(path: string, strategy: StrategyName, places: readonly Place[]): ToolError {
  const lines = places.map(({line}) => line);
  const shown = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ' and others' : '');
  return new ToolError(
    'EDIT_AMBIGUOUS',
    `Expected 1 occurrence of old_string in ${path} but found ${lines.length} (${strategy} match), at lines ${shown}.`,
    {
      hint:
        'Add lines around it to old_string until it matches only one place, or set allow_multiple to change ' +
        'them all.',
      data: {count: lines.length, lines},
    },
  );
}

function notFound(path: string, {text, old}: Search, mayQuote: boolean): ToolError {
  const near = mayQuote ? findNearestLines(text, old) : [];
  const shown = near.map(({line, text: found}) => `\n  line ${line}: ${found}`).join('');
  return new ToolError(
    'EDIT_NOT_FOUND',
    `Found 0 occurrences of old_string in ${path}.${near.length === 0 ? '' : ` The nearest lines are:${shown}`}`,
    {
      hint: 'Read the file with read_file and copy old_string from it, white space included.',
      data: {nearest: near},
    },
  );
}
