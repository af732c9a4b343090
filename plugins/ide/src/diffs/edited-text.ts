/**
 * The text as the person edited it in the editor; undefined when only the line endings differ, which an editor may
 * choose.
 */
export function editedText(proposed: string, text: string): string | undefined {
  return plain(proposed) === plain(text) ? undefined : text;
}

function plain(text: string): string {
  return text.replace(/\r\n/g, '\n');
}
