/** A Markdown file with a head between lines of `---`. */
export interface Markdown {
  readonly head: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Splits off the head. Of YAML it reads `name: value` on one line each, as Claude Code writes it. */
export function readMarkdown(text: string): Markdown {
  const [, head = '', body = text] =
    /^\uFEFF?---[ \t]*\r?\n([^]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n([^]*))?$/m.exec(text) ?? [];
  const isHead = text.replace(/^\uFEFF/, '').startsWith('---') && head !== text && /^---/m.test(text.slice(3));
  if (!isHead) return {head: new Map(), body: text};
  const entries = head.split(/\r?\n/).flatMap((line) => {
    const [, key, value = ''] = /^([A-Za-z][\w-]*):\s*(.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [[key, unquote(value.trim())] as const];
  });
  return {head: new Map(entries), body};
}

function unquote(value: string): string {
  return /^(["'])([^]*)\1$/.exec(value)?.[2] ?? value;
}
