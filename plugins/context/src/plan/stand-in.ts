import type {Part} from '@gemini-kernel/kernel';

/** The first and the last lines: a few of a short output, at most ten of a long one. */
const LINES = {least: 2, most: 10, of: 24};
const WIDEST = 200;
/** Of a text without lines. */
const MOST = 600;
const NOTABLE = /\b(error|errors|failed|failure|fatal|panic|exception|traceback|warning|exit code)\b/i;
const MOST_NOTABLE = 10;

/** What the whole output is, and where. */
export interface Whole {
  readonly output: readonly Part[];
  /** Of the text, then of each picture or document. */
  readonly files: readonly string[];
}

/** The text of an output; its pictures and documents are files of their own. */
export function textOf(output: readonly Part[]): string {
  return output.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

/** What stands for an output: its beginning, its end, lines that tell of a failure, and the file that has the whole. */
export function standFor({output, files}: Whole): readonly Part[] {
  const text = textOf(output);
  const [file, ...others] = files;
  const media = output.flatMap((part) => ('text' in part ? [] : [part.inlineData.mimeType]));
  const places = [
    ...(text === '' ? [] : [`The whole output (${count(text)}) is in ${text === '' ? '' : (file ?? '')}.`]),
    ...media.map((type, at) => `A part of the type ${type} is in ${(text === '' ? files : others)[at] ?? ''}.`),
  ];
  return [
    {
      text: [
        '<tool_output_masked>',
        ...(text === '' ? [] : [excerpt(text)]),
        ...places,
        'Read or search that file if you need more of it.',
        '</tool_output_masked>',
      ].join('\n'),
    },
  ];
}

/** What stands for a long text in the input of a call. */
export function standForInput(text: string, file: string): string {
  return `<tool_input_masked>\n${excerpt(text)}\nThe whole text (${count(text)}) is in ${file}.\n</tool_input_masked>`;
}

function count(text: string): string {
  const lines = text.split('\n').length;
  return `${text.length.toLocaleString('en')} characters, ${lines.toLocaleString('en')} lines`;
}

function excerpt(text: string): string {
  const lines = text.split('\n');
  const shownLines = Math.min(LINES.most, Math.max(LINES.least, Math.round(lines.length / LINES.of)));
  if (lines.length <= 2 * shownLines + 1) return cut(text, MOST);
  const head = lines.slice(0, shownLines);
  const tail = lines.slice(-shownLines);
  const between = lines.slice(shownLines, -shownLines);
  const notable = between.flatMap((line, at) =>
    NOTABLE.test(line) ? [`line ${shownLines + at + 1}: ${cut(line, WIDEST)}`] : [],
  );
  const shown = notable.slice(0, MOST_NOTABLE);
  const rest = notable.length - shown.length;
  return [
    ...head.map((line) => cut(line, WIDEST)),
    `[… ${between.length.toLocaleString('en')} lines left out …]`,
    ...shown,
    ...(rest > 0 ? [`[… and ${rest.toLocaleString('en')} more lines like these …]`] : []),
    ...tail.map((line) => cut(line, WIDEST)),
  ].join('\n');
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}[… ${(text.length - 2 * half).toLocaleString('en')} characters …]${text.slice(-half)}`;
}
