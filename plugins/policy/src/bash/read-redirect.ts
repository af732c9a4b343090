import {readBackticks, readDollar} from './read-expansion.js';
import {readQuotedEscape, readWord} from './read-word.js';
import {shapeOf} from './shape.js';
import {
  addText,
  fail,
  isMeta,
  newDraft,
  peek,
  skipBlanks,
  takeRun,
  type Draft,
  type PendingDocument,
  type Source,
} from './source.js';
import type {Redirect, ShellWord} from './syntax.js';

const REDIRECTION = /^(?:(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)|(&>>?))/;

/** Reads the redirection that begins here, or returns undefined. */
export function readRedirect(source: Source): Redirect | undefined {
  const {text, at} = source;
  const match = REDIRECTION.exec(text.slice(at, Math.min(source.end, at + 80)));
  if (!match) return undefined;
  const [all, descriptor, plain, both = ''] = match;
  const operator = plain ?? both;
  const behind = text.slice(at + all.length, at + all.length + 2);
  // `<(` and `>(` begin a word.
  if (/^[<>]$/.test(operator) && behind.startsWith('(')) return undefined;
  if (behind === '\\\n') fail(source, 'A line is joined to the next in the middle of a redirection.');
  source.at += all.length;
  if (isBashOnly(operator, descriptor)) source.isBashOnly = true;
  skipBlanks(source);
  if (isMeta(peek(source)) && !/^[<>]\($/.test(text.slice(source.at, source.at + 2)))
    fail(source, 'A redirection leads nowhere.');
  const target = readWord(source);
  const redirect = {operator, raw: text.slice(at, source.at), target};
  if (operator === '<<' || operator === '<<-') source.pending.push(announceDocument(source, redirect));
  return redirect;
}

function isBashOnly(operator: string, descriptor: string | undefined): boolean {
  return operator.startsWith('&') || operator === '<<<' || descriptor?.startsWith('{') === true;
}

function announceDocument(
  source: Source,
  redirect: {operator: string; raw: string; target: ShellWord},
): PendingDocument {
  const {raw} = redirect.target;
  if (/[$`\n]/.test(raw) || /\\[^\w]/.test(raw)) fail(source, 'The end of a here-document cannot be determined.');
  return {
    delimiter: raw.replaceAll(/["'\\]/g, ''),
    isQuoted: /["'\\]/.test(raw),
    isIndented: redirect.operator === '<<-',
    redirect,
  };
}

/** Reads the bodies of the here-documents that were announced on the line that just ended. */
export function readDocuments(source: Source): void {
  const documents = source.pending;
  source.pending = [];
  for (const document of documents) {
    const start = source.at;
    const bodyEnd = findBodyEnd(source, document);
    document.redirect.target = document.isQuoted
      ? readQuotedBody(source, {start, bodyEnd, document})
      : readBody(source, {start, bodyEnd, document});
  }
}

/** Goes behind the line that ends the body and returns where that line begins. */
function findBodyEnd(source: Source, {delimiter, isQuoted, isIndented}: PendingDocument): number {
  let isJoined = false;
  while (source.at < source.end) {
    const start = source.at;
    const line = takeRun(source, (code) => code !== 10);
    source.at += 1;
    if (!isJoined && (isIndented ? line.replace(/^\t+/, '') : line) === delimiter) {
      if (source.at > source.end) source.at = source.end;
      return start;
    }
    isJoined = !isQuoted && (/\\*$/.exec(line)?.[0].length ?? 0) % 2 === 1;
  }
  source.at = source.end;
  return fail(source, 'A here-document does not end.');
}

interface Body {
  readonly start: number;
  readonly bodyEnd: number;
  readonly document: PendingDocument;
}

function withoutTabs(text: string, {isIndented}: PendingDocument): string {
  return isIndented ? text.replaceAll(/^\t+/gm, '') : text;
}

function readQuotedBody({text}: Source, {start, bodyEnd, document}: Body): ShellWord {
  const raw = text.slice(start, bodyEnd);
  const value = withoutTabs(raw, document);
  return {
    raw,
    start,
    value,
    lead: value,
    splits: false,
    isQuoted: true,
    isNumber: false,
    names: [],
    isOpen: false,
    scripts: [],
    form: shapeOf(value),
    expansions: [],
  };
}

function readBody(source: Source, {start, bodyEnd, document}: Body): ShellWord {
  const {at, end, text} = source;
  const draft: Draft = newDraft();
  source.at = start;
  source.end = bodyEnd;
  while (source.at < source.end) {
    const character = peek(source);
    if (character === '$') readDollar(source, draft, true);
    else if (character === '`') readBackticks(source, draft, true);
    else if (character === '\\') readQuotedEscape(source, draft, '$`\\');
    else
      addText(
        draft,
        takeRun(source, (code) => code !== 36 && code !== 92 && code !== 96),
        true,
      );
  }
  source.at = at;
  source.end = end;
  const value = draft.value === undefined ? undefined : withoutTabs(draft.value, document);
  const {names, isOpen, scripts, form, expansions} = draft;
  const raw = text.slice(start, bodyEnd);
  return {
    raw,
    start,
    value,
    lead: '',
    splits: false,
    isQuoted: true,
    isNumber: false,
    names,
    isOpen,
    scripts,
    form,
    expansions,
  };
}
