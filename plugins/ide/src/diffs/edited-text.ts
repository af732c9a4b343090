/**
 * What a person made of a text in the editor; undefined when only the line ends are others, which an editor may choose
 * by itself.
 */
export function editedText(proposed: string, text: string): string | undefined {
  return plain(proposed) === plain(text) ? undefined : text;
}

function plain(text: string): string {
  return text.replace(/\r\n/g, '\n');
}
