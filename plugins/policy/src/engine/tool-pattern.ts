import {withTwin} from '../read/tool-names.js';

/** The names under which rules may speak of a call: its own, an older one, and the agent that it starts. */
export function namesOf(tool: string, input: unknown): readonly string[] {
  const agent = tool === 'invoke_agent' ? (input as {readonly agent_name?: unknown} | null)?.agent_name : undefined;
  return [...withTwin(tool), ...(typeof agent === 'string' ? [agent] : [])];
}

/** Whether a pattern (`*` is any run of characters) means one of the names. */
export function meansTool(pattern: string, names: readonly string[]): boolean {
  if (pattern === '*') return true;
  if (!pattern.includes('*')) return names.includes(pattern);
  const [head = '', ...rest] = pattern.split('*');
  return names.some((name) => name.startsWith(head) && holdsInOrder(name, head.length, rest));
}

/** Whether the parts follow each other in the text from `from` on, the last one at its very end. */
function holdsInOrder(text: string, from: number, parts: readonly string[]): boolean {
  let at = from;
  for (const part of parts.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) ?? '';
  return text.length - last.length >= at && text.endsWith(last);
}
