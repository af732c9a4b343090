import type {ShellKind} from '../contract.js';
import type {WrittenCommand} from '../files/write-command.js';
import {parseTemplate} from '../template/parse-template.js';
import {TemplateFault} from '../template/template-fault.js';
import {readMarkdown} from './read-markdown.js';

/** A command of Claude Code in the form of ours. */
export interface Converted {
  readonly command: WrittenCommand;
  /** What it loses, as sentences. */
  readonly notes: readonly string[];
}

const KEPT = new Set(['description', 'argument-hint']);

/** Converts a Markdown command of Claude Code. A sentence says why one cannot be converted. */
export function convertMarkdown(text: string, shell: ShellKind): Converted | string {
  const {head, body} = readMarkdown(text);
  if (body.trim() === '') return 'it has no prompt';
  const [clash] = /\{\{args[^}]*\}\}|[!@]\{/.exec(body) ?? [];
  // Plain text there would become a placeholder here, and perhaps run.
  if (clash !== undefined) return `its text contains ${clash}, which means something in a TOML command`;
  const prompt = convertBody(body.trim());
  const fault = findFault(prompt, shell);
  if (fault !== undefined) return fault;
  const [description, argumentHint] = [head.get('description'), head.get('argument-hint')];
  const notes = [...head.keys()].filter((key) => !KEPT.has(key)).map((key) => `${key} has no counterpart here.`);
  const command = {
    ...(description ? {description} : {}),
    ...(argumentHint ? {argumentHint} : {}),
    prompt: `${prompt}\n`,
  };
  return {command, notes};
}

/** Shell commands first: what is in them is no mention of a file. */
function convertBody(body: string): string {
  return body
    .split(/(!`[^`\n]+`)/)
    .map((piece, index) => (index % 2 === 1 ? `!{${piece.slice(2, -1)}}` : convertMentions(piece)))
    .join('')
    .replaceAll('$ARGUMENTS', '{{args}}')
    .replaceAll(/\$([1-9])(?!\d)/g, '{{args.$1}}');
}

function convertMentions(text: string): string {
  return text.replaceAll(/(^|[\s([])@((?:~\/|\.{0,2}\/)?[\w$][\w$./-]*\w)/g, (whole, before: string, path: string) =>
    /[./]/.test(path) && !path.includes('$') ? `${before}@{${path}}` : whole,
  );
}

function findFault(prompt: string, shell: ShellKind): string | undefined {
  try {
    parseTemplate(prompt, shell);
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return error.message;
  }
}
