/** Whether one of the patterns names the tool; `*` is any run of characters. */
export function isListed(patterns: readonly string[], tool: string): boolean {
  return patterns.some((pattern) => {
    const [head = '', ...rest] = pattern.split('*');
    if (rest.length === 0) return pattern === tool;
    let at = head.length;
    if (!tool.startsWith(head)) return false;
    for (const part of rest.slice(0, -1)) {
      const found = tool.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    const last = rest.at(-1) ?? '';
    return tool.length - last.length >= at && tool.endsWith(last);
  });
}
