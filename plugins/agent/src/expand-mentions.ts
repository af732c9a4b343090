import {stat} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {isToolError, messageOf, type Part, type SessionTools} from '@gemini-kernel/kernel';
import type {Files} from '@gemini-kernel/plugin-search/contract';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {Piece, PromptPart} from './contract.js';
import {findMentioned} from './find-mentioned.js';
import {findMentions, type Mention} from './path-mentions.js';
import {toPieces} from './slash/prompt-pieces.js';

interface Parts {
  readonly tools: SessionTools;
  readonly workspace: Workspace;
  /** Finds files by name, if enabled. */
  finder(): Promise<Files | undefined>;
  /** Content of what a mention names beside files. */
  resolve(text: string): Promise<readonly PromptPart[] | undefined>;
  readonly signal: AbortSignal;
}

interface Note {
  readonly severity: 'info' | 'warning';
  readonly text: string;
}

export interface Expanded {
  readonly pieces: readonly Piece[];
  /** Sentences about what was attached and what was not. */
  readonly notes: readonly Note[];
}

interface Found {
  readonly mention: Mention;
  readonly path: string;
  /** The text for the model. */
  readonly label: string;
  readonly isFolder: boolean;
  /** A file that calls may read although it is not in the workspace. */
  readonly isOutside?: true;
}

/** What a mention names beside files. */
interface Other {
  readonly label: string;
  readonly content: readonly PromptPart[];
}

const TOOL = 'read_many_files';

/**
 * Adds to a prompt the content of the files that it names by `@path`, read like by any other call. A bare name can mean
 * a file in a subfolder; one that matches no file stays text.
 */
export async function expandMentions(text: string, parts: Parts): Promise<Expanded> {
  const found: Found[] = [];
  const others: Other[] = [];
  const notes: Note[] = [];
  for (const mention of findMentions(text)) {
    const one = (await locate(mention, parts.workspace)) ?? (await lookFor(mention, parts));
    if (typeof one === 'string') notes.push({severity: 'warning', text: one});
    else if (one) found.push(one);
    else await lookElsewhere(mention, parts, {others, notes});
  }
  const said: Piece = {kind: 'text', text: rewrite(text, found)};
  if (found.length + others.length === 0) return {pieces: [said], notes};
  const pieces: Piece[] = [said, {kind: 'text', text: '\n--- Content from referenced files ---'}];
  for (const {label, content} of others)
    pieces.push({kind: 'text', text: `\nContent from @${label}:\n`}, ...toPieces(content));
  const seen = new Set<string>();
  for (const {path, label, isFolder, isOutside} of found) {
    if (seen.has(path)) continue;
    seen.add(path);
    const {content, note} = await read({path, label, isFolder, ...(isOutside ? {isOutside} : {})}, parts);
    pieces.push({kind: 'text', text: `\nContent from @${label}:\n`}, ...content);
    notes.push(note);
  }
  pieces.push({kind: 'text', text: '\n--- End of content ---'});
  return {pieces, notes};
}

/**
 * Where a mention points: the first root that has it. A sentence if it exists but must not be read; undefined if it is
 * only a word.
 */
async function locate(mention: Mention, workspace: Workspace): Promise<Found | string | undefined> {
  const roots = await workspace.roots();
  for (const {path: root} of roots) {
    const candidate = join(root, mention.path);
    const {
      real,
      exists,
      root: holder,
      ignoredBy,
    } = await workspace.explain(
      mention.path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(mention.path) ? mention.path : candidate,
    );
    if (!exists) continue;
    if (!holder) return locateOutside(mention, real, workspace);
    if (ignoredBy) return `@${mention.path} is ignored by ${ignoredBy.file}, line ${ignoredBy.line}, and was not read.`;
    const isFolder = (await stat(real)).isDirectory();
    return {mention, path: real, label: relative(holder.path, real) || '.', isFolder};
  }
  return undefined;
}

/** A file outside the workspace that calls of the session may read, such as a pasted image; else a sentence. */
async function locateOutside(mention: Mention, real: string, workspace: Workspace): Promise<Found | string> {
  try {
    const path = await workspace.resolve(real, {access: 'read'});
    if ((await stat(path)).isFile()) return {mention, path, label: path, isFolder: false, isOutside: true};
  } catch (error) {
    if (!isToolError(error)) throw error;
  }
  return `@${mention.path} is outside the workspace and was not read. Add its folder with gemini directory add.`;
}

/** A file of that name in another folder. A sentence if the search failed: the prompt continues without it. */
async function lookFor(mention: Mention, {finder, signal}: Parts): Promise<Found | string | undefined> {
  try {
    const files = await finder();
    const file = files && (await findMentioned(mention, files, signal));
    return file && {mention, ...file, isFolder: false};
  } catch (error) {
    signal.throwIfAborted();
    return `Could not look for @${mention.path}: ${messageOf(error)}`;
  }
}

/** Asks the sources of mentions. One that fails is named, and the mention stays text. */
async function lookElsewhere(
  {path}: Mention,
  {resolve, signal}: Parts,
  {others, notes}: {readonly others: Other[]; readonly notes: Note[]},
): Promise<void> {
  try {
    const content = await resolve(path);
    if (!content || others.some(({label}) => label === path)) return;
    others.push({label: path, content});
    notes.push({severity: 'info', text: `Found @${path}.`});
  } catch (error) {
    signal.throwIfAborted();
    notes.push({severity: 'warning', text: `@${path} was not read: ${messageOf(error)}`});
  }
}

/** The prompt with each found mention in one spelling. */
function rewrite(text: string, found: readonly Found[]): string {
  let result = '';
  let from = 0;
  for (const {mention, label} of found) {
    result += `${text.slice(from, mention.start)}@${label}`;
    from = mention.end;
  }
  return `${result}${text.slice(from)}`.replaceAll('\\@', '@');
}

async function read(
  {path, label, isFolder, isOutside}: Omit<Found, 'mention'>,
  {tools, signal}: Parts,
): Promise<{readonly content: readonly Piece[]; readonly note: Note}> {
  const include = [isFolder ? `${escapeGlob(path)}/**` : escapeGlob(path)];
  const outcome = await tools.call(
    isOutside
      ? {tool: 'read_file', input: {file_path: path}}
      : {tool: TOOL, input: {include, ...(isFolder ? {} : {useDefaultExcludes: false})}},
    {signal},
  );
  if (outcome.status !== 'done') {
    const reason = outcome.status === 'refused' ? outcome.reason : outcome.error.message;
    return {
      content: [{kind: 'text', text: `(not read: ${reason})`}],
      note: {severity: 'warning', text: `@${label} was not read: ${reason}`},
    };
  }
  const {model, display} = outcome.result;
  const parts: readonly Part[] = typeof model === 'string' ? [{text: model}] : model;
  const content = parts.map((part): Piece =>
    'text' in part
      ? {kind: 'text', text: part.text}
      : {kind: 'data', mimeType: part.inlineData.mimeType, data: part.inlineData.data},
  );
  return {content, note: {severity: 'info', text: `Read @${label}${display ? ` (${display})` : ''}.`}};
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}()!]/g, '\\$&');
}
