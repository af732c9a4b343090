/** Marks text of a page for the model: it is data, whatever it says. */
export function markForeign(text: string, source: string): string {
  const from = JSON.stringify(source).replaceAll('<', '%3C').replaceAll('>', '%3E');
  const inner = text.replace(/<(\s*\/?\s*untrusted_context)/gi, '&lt;$1');
  return `<untrusted_context source=${from}>\n${inner}\n</untrusted_context>`;
}
