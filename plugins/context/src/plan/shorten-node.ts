import type {Part} from '@gemini-kernel/kernel';
import type {ShorterPiece} from '@gemini-kernel/plugin-agent/contract';
import type {ContextNode, NodeState} from '../contract.js';
import type {Pieces} from '../graph/pieces.js';
import type {Profile} from '../profile.js';
import type {OutputFile, OutputFiles} from '../store/output-files.js';
import {standFor, standForInput} from './stand-in.js';

/** What a request has in place of a node, and the files that must be there first. */
export interface Shortened {
  readonly shorter: readonly ShorterPiece[];
  readonly files: readonly OutputFile[];
}

interface Around {
  readonly pieces: Pieces;
  readonly files: OutputFiles;
  readonly profile: Profile;
}

const CHARACTERS_PER_TOKEN = 4;

/** Makes what stands for a call and its result. */
export function shortenNode(node: ContextNode, state: NodeState, around: Around): Shortened {
  const output = shortenOutput(node, around);
  const input = state.form === 'masked' ? shortenInput(node, around) : undefined;
  const parts = [output, input].filter((one) => one !== undefined);
  return {shorter: parts.flatMap(({shorter}) => shorter), files: parts.flatMap(({files}) => files)};
}

/** The output of a node's result. */
export function outputOf({result}: ContextNode, pieces: Pieces): readonly Part[] {
  const piece = result && pieces.get(result.entry)?.[result.piece];
  return piece?.kind === 'result' ? piece.output : [];
}

function shortenOutput(node: ContextNode, {pieces, files}: Around): Shortened | undefined {
  if (!node.result) return undefined;
  const output = outputOf(node, pieces);
  const planned = files.plan(node.tool ?? 'tool', output);
  return {
    shorter: [{...node.result, output: standFor({output, files: planned.map(({path}) => path)})}],
    files: planned,
  };
}

function shortenInput(
  {entry, piece, tool = 'tool'}: ContextNode,
  {pieces, files, profile}: Around,
): Shortened | undefined {
  const call = pieces.get(entry)?.[piece];
  // A call with a signature is sent back as it came: the model's API may refuse anything else.
  if (call?.kind !== 'call' || call.signature !== undefined || !isObject(call.input)) return undefined;
  const planned: OutputFile[] = [];
  const most = profile.input * CHARACTERS_PER_TOKEN;
  const input = mapTexts(call.input, (text) => {
    if (text.length <= most) return text;
    const file = files.planText(`${tool}-input`, text);
    planned.push(file);
    return standForInput(text, file.path);
  });
  return planned.length === 0 ? undefined : {shorter: [{entry, piece, input}], files: planned};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The texts at the top of an input are what tools get by the page: contents, patches, scripts. */
function mapTexts(
  input: Readonly<Record<string, unknown>>,
  map: (text: string) => string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? map(value) : value]),
  );
}
