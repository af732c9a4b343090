import {KernelError} from '@gemini-kernel/kernel';

/** Where a text stops being settings, and why. */
export interface Break {
  readonly offset: number;
  readonly reason: string;
}

const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a key in double quotes is missing (JSON has no trailing commas)',
  ValueExpected: 'a value is missing (JSON has no trailing commas)',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'nothing may follow the closing }',
  UnexpectedEndOfComment: 'this comment has no end',
  UnexpectedEndOfString: 'this string has no end',
  UnexpectedEndOfNumber: 'this number has no end',
  InvalidUnicode: 'this is not a unicode escape',
  InvalidEscapeCharacter: 'this is not an escape; write \\\\ for a backslash',
  InvalidCharacter: 'this character must be escaped',
};

/** The first place at which a text that could not be parsed is wrong. */
export async function findBreak(text: string): Promise<Break> {
  const {parse, printParseErrorCode} = await import('jsonc-parser');
  if (text.trim() === '') return {offset: 0, reason: 'the file is empty; {} would be empty settings'};
  // Spaces for a byte order mark keep the offsets.
  const errors: Parameters<typeof parse>[1] = [];
  parse(text.replace(/^\uFEFF/, ' '), errors, {allowTrailingComma: false});
  const first = errors?.sort((a, b) => a.offset - b.offset)[0];
  if (!first) return {offset: text.search(/[^\s\uFEFF]/), reason: 'settings must be an object in { }'};
  return {offset: first.offset, reason: REASONS[printParseErrorCode(first.error)] ?? 'this is not JSON'};
}

/** The error that names the file, the line and the column. */
export function settingsBroken(path: string, text: string, {offset, reason}: Break): KernelError {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const line = before.length;
  const column = (before.at(-1)?.replace('\uFEFF', '').length ?? 0) + 1;
  return new KernelError('SETTINGS_BROKEN', `${path} is broken at line ${line}, column ${column}: ${reason}.`, {
    hint: 'Fix the file and try again; it was not changed.',
    data: {file: path, line, column, reason},
  });
}
