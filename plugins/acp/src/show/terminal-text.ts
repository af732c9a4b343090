import {makeVisible} from '@gemini-kernel/command/visible';

/** What a terminal may obey: colours and styles, erasing within a line, and moves within it. All else is dropped. */
const TOKEN = new RegExp(
  [
    '(\\u001b\\[[\\d;:]{0,64}m|\\u001b\\[[0-2]?K|[\\b\\t\\n\\r])',
    '([^\\u0000-\\u001f\\u007f-\\u009f]+)',
    // Other sequences are dropped up to their end, or the end of the line, so that what they carry is not shown either.
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u001b[\\]PX^_][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?',
    '\\u001b[ -/]*[0-~]',
    '[\\u0000-\\u001f\\u007f-\\u009f]',
  ].join('|'),
  'gu',
);

/**
 * Output of a program for the terminal of an editor: text, colours, and moves within a line. Nothing in it can ask or
 * change that terminal, write a clipboard or a title, or reach what was printed on other lines.
 */
export function terminalText(output: string): string {
  return output.replace(TOKEN, (_, obeyed: string | undefined, text: string | undefined) => {
    if (obeyed === '\n') return '\r\n';
    return obeyed ?? (text === undefined ? '' : makeVisible(text, false));
  });
}
