import type {Files} from '@gemini-kernel/plugin-search/contract';
import type {AgentParts} from './agent-parts.js';
import {CONTEXT_ID, isContext} from './agent-parts.js';
import type {AgentEvent, ContextSection, Piece, PromptPart} from './contract.js';
import {expandMentions} from './expand-mentions.js';
import {toPieces} from './slash/prompt-pieces.js';
import {takeSourcedContext} from './sourced-context.js';
import {describeDirectories, describeSession} from './session-context.js';

interface Submitted {
  readonly text: string;
  readonly parts?: readonly PromptPart[];
  readonly attached?: readonly PromptPart[];
  readonly signal: AbortSignal;
  readonly withTree: boolean;
  onEvent(event: AgentEvent): void;
}

/** Asks listeners about a prompt. Gives the reason of a refusal, or the resulting prompt. */
export async function submitPrompt(
  parts: AgentParts,
  {text, parts: given, attached = [], signal, withTree, onEvent}: Submitted,
): Promise<{readonly refused: string} | {readonly pieces: readonly Piece[]}> {
  const made = given && toPieces(given);
  const prompt = made?.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('\n') ?? text;
  const verdict = await parts.context.dispatch('prompt:submit', {prompt});
  if (verdict.decision === 'deny') return {refused: verdict.reason};
  const isFirst = parts.state.systemSections === undefined;
  const sections = [
    ...(await parts.context.dispatch('context:collect', {isFirst, prompt})),
    ...(await takeSourcedContext(parts, isFirst)),
  ];
  parts.state.systemSections = sections.filter(({place}) => place === 'system');
  if (isFirst) await setScene(parts, sections, withTree);
  const pieces = made ?? (await readMentions(parts, {text, signal, onEvent}));
  const changed = await describeChange(parts, {isFirst, withTree});
  const added = [
    ...(changed ? [changed] : []),
    ...sections.filter(({place}) => place === 'prompt').map((section) => section.text),
    ...(verdict.context ? [verdict.context] : []),
  ];
  return {
    pieces: [
      ...pieces,
      ...toPieces(attached),
      ...added
        .filter((one) => one.trim() !== '')
        .map((one): Piece => ({kind: 'text', text: `\n<hook_context>\n${one}\n</hook_context>`})),
    ],
  };
}

/** A prompt as typed, with the files that it names. */
async function readMentions(
  parts: AgentParts,
  {text, signal, onEvent}: Pick<Submitted, 'text' | 'signal' | 'onEvent'>,
): Promise<readonly Piece[]> {
  const {pieces, notes} = await expandMentions(text, {
    tools: parts.context.tools,
    workspace: parts.workspace,
    finder: () => findFinder(parts),
    resolve: (mention) => resolveMention(parts, mention, signal),
    signal,
  });
  for (const note of notes) onEvent({kind: 'note', ...note});
  return pieces;
}

/** What the first source that knows a mention gives for it. */
async function resolveMention(
  {context}: AgentParts,
  text: string,
  signal: AbortSignal,
): Promise<readonly PromptPart[] | undefined> {
  for (const name of context.names('mentions')) {
    const source = await context.service(name as `mentions:${string}`);
    const parts = await source.resolve(text, signal);
    if (parts) return parts;
  }
  return undefined;
}

/** Finds files by name, if enabled. */
async function findFinder({settings, files}: AgentParts): Promise<Files | undefined> {
  return (await settings.get('context.fileFiltering.enableRecursiveFileSearch')) === false ? undefined : files();
}

/** The directories, if they changed since the last prompt. */
async function describeChange(
  {state, workspace}: AgentParts,
  {isFirst, withTree}: {readonly isFirst: boolean; readonly withTree: boolean},
): Promise<string | undefined> {
  const roots = (await workspace.roots()).map(({path}) => path).join('\n');
  const isChanged = !isFirst && roots !== state.roots;
  state.roots = roots;
  return isChanged
    ? `The directories of the workspace have changed. They are now:\n${await describeDirectories(workspace, withTree)}`
    : undefined;
}

/** The first entry describes the session; a continued conversation gets a new one. */
async function setScene(
  {history, workspace, temporary}: AgentParts,
  sections: readonly ContextSection[],
  withTree: boolean,
): Promise<void> {
  const text = await describeSession(
    {workspace, temporary: await temporary(), withTree},
    sections.filter(({place}) => place === 'start'),
  );
  const rest = history.entries.filter((entry) => !isContext(entry));
  const scene = history.make({
    kind: 'user',
    id: `${CONTEXT_ID}-${Date.now().toString(36)}`,
    origin: 'agent',
    pieces: [{kind: 'text', text}],
  });
  await history.replace([scene, ...rest], 'start');
}
