/** Text of a hook for the model, which cannot end the frame that it is put in. */
export function escapeFrame(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text of a hook in its frame. */
export function inFrame(text: string): string {
  return `<hook_context>\n${escapeFrame(text)}\n</hook_context>`;
}
