import type {Preview, ToolCall} from '@gemini-kernel/kernel';
import {revealedLine, revealedText, type Paint} from '@gemini-kernel/terminal';

/** The preview of a call for a person, line by line. */
export function previewLines(
  preview: Preview | undefined,
  call: Pick<ToolCall, 'input' | 'touches'>,
  paint: Paint,
): readonly string[] {
  switch (preview?.kind) {
    case 'diff':
      return [paint('dim', revealedLine(preview.path)), ...diffLines(preview.diff, paint)];
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

/** A unified diff with line numbers: the old number of removed lines, the new one of added or unchanged lines. */
export function diffLines(diff: string, paint: Paint): readonly string[] {
  const lines = revealedText(diff).replace(/\n$/, '').split('\n');
  const width = String(lines.length + Math.max(0, ...lines.map((line) => Math.max(...hunkOf(line))))).length;
  const shown: string[] = [];
  let [old, now, isInside] = [0, 0, false];
  for (const line of lines) {
    const [oldStart, newStart] = hunkOf(line);
    const number = (value: number): string => String(value).padStart(width);
    if (oldStart >= 0) {
      if (isInside) shown.push(paint('dim', `${' '.repeat(width)} …`));
      [old, now, isInside] = [oldStart, newStart, true];
    } else if (!isInside) continue;
    else if (line.startsWith('-')) {
      shown.push(paint('bad', `${number(old)} - ${line.slice(1)}`));
      old += 1;
    } else if (line.startsWith('+')) {
      shown.push(paint('good', `${number(now)} + ${line.slice(1)}`));
      now += 1;
    } else if (line.startsWith('\\')) shown.push(paint('dim', `${' '.repeat(width)}   ${line.slice(2)}`));
    else {
      shown.push(`${paint('dim', number(now))}   ${line.slice(1)}`);
      [old, now] = [old + 1, now + 1];
    }
  }
  return shown;
}

function hunkOf(line: string): readonly [number, number] {
  const match = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
  return match ? [Number(match[1]), Number(match[2])] : [-1, -1];
}
