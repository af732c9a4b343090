import type {Preview, ToolCall} from '@gemini-kernel/kernel';
import {revealedLine, revealedText, type Graphemes, type Paint} from '@gemini-kernel/terminal';
import {unifiedRows} from './views/diff-rows.js';
import {readDiff} from './views/read-diff.js';

/** The preview of a call for a person, line by line. */
export function previewLines(
  preview: Preview | undefined,
  call: Pick<ToolCall, 'input' | 'touches'>,
  {paint, graphemes}: {readonly paint: Paint; readonly graphemes: Graphemes},
): readonly string[] {
  // The terminal wraps these lines itself, and the name of the file is above them.
  const diffRows = (diff: string): readonly string[] =>
    unifiedRows(
      readDiff(diff).filter(({kind}) => kind !== 'file'),
      {columns: Infinity, paint, graphemes},
    );
  switch (preview?.kind) {
    case 'diff':
      return [paint('dim', revealedLine(preview.path)), ...diffRows(preview.diff)];
    case 'command':
      return [
        ...revealedText(preview.command)
          .split('\n')
          .map((line) => paint('strong', line)),
        paint('dim', `in ${revealedLine(preview.directory)}`),
      ];
    case 'urls':
      return preview.urls.map((url) => revealedLine(url));
    case 'text':
      return revealedText(preview.text).trimEnd().split('\n');
    default:
      return call.touches.length > 0
        ? call.touches.map(({kind, access, value}) => `${access} ${kind} ${revealedLine(value)}`)
        : revealedText(JSON.stringify(call.input, undefined, 2) ?? '').split('\n');
  }
}
