import {defineTool, subjectOf, ToolError, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {previewOf, snippetOf} from '../change.js';
import type {} from '../contract.js';
import {codecForEdit, LEGACY_ENCODING, utf8, type Codec} from '../encoding.js';
import {omissionsIn} from '../omission.js';
import {EDIT_LIMIT, sizeOf, tooLargeToEdit} from '../opened-file.js';
import {planReplace, type ReplacePlan} from '../replace/plan.js';
import {touchOf} from '../path-touch.js';
import {commit, fileMissing, openTarget, otherNamesOf, readExisting, type ExistingFile} from '../write-target.js';

/** Larger files are previewed by the two texts alone, so that the question comes without delay. */
const COMPARED_BYTES = 1024 * 1024;

interface ReplaceInput {
  readonly old_string: string;
  readonly new_string: string;
  readonly allow_multiple?: boolean;
}

export default defineTool({
  name: 'replace',
  description:
    'Replaces a text in a file with another. old_string must match exactly one place, so include whole ' +
    'lines with a few unchanged ones around them, ' +
    ('or set allow_multiple to change every place. Small differences in white space are ignored. All ' +
      'other bytes of the file stay unchanged. ') +
    'An empty old_string creates a new file.',
  effect: 'edit',
  annotations: {destructiveHint: true, idempotentHint: false, openWorldHint: false},
  input: {
    type: 'object',
    required: ['file_path', 'instruction', 'old_string', 'new_string'],
    properties: {
      file_path: {
        type: 'string',
        minLength: 1,
        description: 'Path of the file, absolute or relative to the working directory.',
      },
      instruction: {type: 'string', description: 'What the change is for, in one sentence.'},
      old_string: {
        type: 'string',
        description: 'The text to replace, exactly as in the file. Empty to create a new file.',
      },
      new_string: {type: 'string', description: 'The complete text to put in its place.'},
      allow_multiple: {type: 'boolean', default: false, description: 'Replace every place where old_string is found.'},
    },
  },
  async touches({file_path}, {service}) {
    return touchOf(file_path, 'write', await service('workspace'));
  },
  async preview(input, {call, service, signal}) {
    const path = subjectOf(call);
    refuseInput(path, input);
    const existing = await readExisting(path, {
      ...{workspace: await service('workspace'), buffers: await service('buffers')},
      ...{signal, limit: EDIT_LIMIT},
    });
    if (isCreation(path, input, existing)) return previewOf(path, null, input.new_string);
    const legacy = async (): Promise<unknown> => (await service('settings')).get(LEGACY_ENCODING);
    // Nothing is approved yet: an error must not reveal the content of a file that the session has not read.
    const mayQuote = (await (await service('versions')).recall(path)) !== undefined;
    const {codec, plan} = await planFor(existing, input, {legacy, mayQuote});
    const textOf = (bytes: Buffer): string => codec.decode(bytes.subarray(codec.mark.length));
    if (existing.bytes.length <= COMPARED_BYTES)
      return previewOf(path, textOf(existing.bytes), textOf(Buffer.concat(plan.pieces)));
    return {
      kind: 'text',
      text: `${path}: ${describe(plan)}\n${quote('-', input.old_string)}\n${quote('+', input.new_string)}`,
    };
  },
  // The exact old text occurs only once.
  revise: (input, {before, text}) => ({...input, old_string: before, new_string: text, allow_multiple: false}),
  async run(input, {call, service, signal}) {
    const path = subjectOf(call);
    refuseInput(path, input);
    const create = input.old_string === '';
    const [workspace, buffers] = [await service('workspace'), await service('buffers')];
    const target = await openTarget(path, {workspace, buffers, signal, create, limit: EDIT_LIMIT});
    try {
      const versions = await service('versions');
      if (isCreation(path, input, target.existing)) {
        const bytes = utf8.encode(input.new_string);
        await commit(target, [bytes], {versions, buffers, signal});
        return creationResult(path, bytes);
      }
      const legacy = async (): Promise<unknown> => (await service('settings')).get(LEGACY_ENCODING);
      const {codec, plan} = await planFor(target.existing, input, {legacy, mayQuote: true});
      await commit({...target, existing: target.existing}, plan.pieces, {versions, buffers, signal});
      return resultOf(path, {codec, plan, note: otherNamesOf(target)});
    } finally {
      await target.folder.close();
    }
  },
});

function refuseInput(path: string, {old_string, new_string}: ReplaceInput): void {
  if (old_string !== '' && old_string.trim() === '') {
    throw new ToolError(
      'EDIT_SEARCH_BLANK',
      'old_string contains only white space, which does not identify a place in a file.',
      {
        hint: 'Add the lines around it. To create a new file, use an empty old_string.',
      },
    );
  }
  const known = new Set(omissionsIn(old_string));
  const omission = omissionsIn(new_string).find((line) => !known.has(line));
  if (omission === undefined) return;
  throw new ToolError(
    'TEXT_ABBREVIATED',
    `new_string for ${path} has the line "${omission}" in place of the code itself.`,
    {hint: 'Give the complete new text.'},
  );
}

function isCreation(
  path: string,
  {old_string}: ReplaceInput,
  existing: ExistingFile | undefined,
): existing is undefined {
  if (old_string === '') {
    if (existing === undefined) return true;
    throw new ToolError('FILE_EXISTS', `${path} exists, so it cannot be created.`, {
      hint: 'Set old_string to the text to replace, or use write_file to replace the whole content.',
    });
  }
  if (existing !== undefined) return false;
  throw fileMissing(path);
}

interface PlanOptions {
  readonly legacy: () => Promise<unknown>;
  readonly mayQuote: boolean;
}

async function planFor(
  existing: ExistingFile,
  input: ReplaceInput,
  {legacy, mayQuote}: PlanOptions,
): Promise<{codec: Codec; plan: ReplacePlan}> {
  const {path, bytes, stat} = existing;
  if (bytes.length !== sizeOf(existing)) throw tooLargeToEdit(path, stat.size);
  const codec = await codecForEdit(path, bytes, legacy);
  const {old_string: oldText, new_string: newText, allow_multiple: allowMultiple = false} = input;
  return {codec, plan: planReplace({path, bytes, codec, oldText, newText, allowMultiple, mayQuote})};
}

function creationResult(path: string, bytes: Buffer): ToolResult {
  const linesAdded = bytes.toString().split('\n').length - (bytes.at(-1) === 10 ? 1 : 0);
  return {
    model: `Created the new file ${path} with the given content.`,
    display: `created, +${linesAdded}`,
    data: {path, created: true, bytes: bytes.length, linesAdded, linesRemoved: 0},
  };
}

function resultOf(
  path: string,
  {codec, plan, note}: {readonly codec: Codec; readonly plan: ReplacePlan; readonly note: string},
): ToolResult {
  const {pieces, strategy, places, linesAdded, linesRemoved} = plan;
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return {
    model:
      `Modified the file ${path}: ${describe(plan)}${note} Here is the updated ` +
      `code:\n${snippetOf(pieces, codec, {places, around: 5})}`,
    display: `+${linesAdded} -${linesRemoved}${strategy === 'exact' ? '' : ` (${strategy} match)`}`,
    data: {path, created: false, bytes, linesAdded, linesRemoved, strategy, places},
  };
}

function describe({strategy, places}: ReplacePlan): string {
  const lines = places.slice(0, 20).map(({first, last}) => (first === last ? String(first) : `${first}-${last}`));
  const rest = places.length > lines.length ? ' and others' : '';
  const count = places.length === 1 ? '1 replacement' : `${places.length} replacements`;
  return `${count} by ${strategy} match at line(s) ${lines.join(', ')}${rest}.`;
}

function quote(mark: string, text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, 40).map((line) => `${mark}${line}`);
  return [
    ...shown,
    ...(lines.length > shown.length ? [`${mark}... (${lines.length - shown.length} more lines)`] : []),
  ].join('\n');
}
