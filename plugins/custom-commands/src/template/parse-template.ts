import type {ShellKind, ShellPiece, TemplatePart} from '../contract.js';
import {ARGUMENTS} from './find-arguments.js';
import {readBash} from './read-bash.js';
import {readPowershell} from './read-powershell.js';
import {TemplateFault} from './template-fault.js';

const readers: Readonly<Record<ShellKind, (line: string) => readonly ShellPiece[]>> = {
  bash: readBash,
  powershell: readPowershell,
};

/**
 * Splits a prompt into its parts, once: what fills a part later is never read for placeholders. Throws TemplateFault.
 */
export function parseTemplate(prompt: string, shell: ShellKind): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (let found = findNext(prompt, from); found; found = findNext(prompt, from)) {
    if (found.index > from) parts.push({kind: 'text', text: prompt.slice(from, found.index)});
    const [text, position] = found;
    if (text.startsWith('{')) {
      parts.push({kind: 'arguments', ...(position === undefined ? {} : {position: Number(position)})});
      from = found.index + text.length;
    } else {
      from = findClose(prompt, found.index);
      const part = readInjection(prompt.slice(found.index, from), found.index, shell);
      if (part) parts.push(part);
    }
  }
  if (from < prompt.length) parts.push({kind: 'text', text: prompt.slice(from)});
  return parts;
}

function findNext(prompt: string, from: number): RegExpExecArray | null {
  const pattern = new RegExp(`${ARGUMENTS}|[!@]\\{`, 'g');
  pattern.lastIndex = from;
  return pattern.exec(prompt);
}

/** Where the placeholder that starts at an index ends. */
function findClose(prompt: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < prompt.length; at += 1) {
    if (prompt[at] === '{') depth += 1;
    if (prompt[at] === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  const mark = prompt.slice(start, start + 2);
  throw new TemplateFault(start, `${mark} is not closed: the braces in it must be balanced`);
}

/** Undefined for a shell command without text, which stands for nothing. */
function readInjection(source: string, start: number, shell: ShellKind): TemplatePart | undefined {
  const content = source.slice(2, -1).trim();
  if (source.startsWith('@')) {
    if (content === '') throw new TemplateFault(start, '@{} names no file');
    return {kind: 'file', path: content, source};
  }
  if (content === '') return undefined;
  try {
    return {kind: 'shell', pieces: readers[shell](content), source};
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    throw new TemplateFault(start + source.indexOf(content) + error.offset, error.message);
  }
}
