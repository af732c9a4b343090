import {defineTool, ToolError, type SessionTools, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';
import {checkParses} from '../edit/check-parses.js';
import {planRename, type FileEdits} from '../edit/plan-rename.js';
import {planSymbolEdit} from '../edit/plan-symbol-edit.js';
import {asReplacement} from '../edit/text-edit.js';
import {findOne} from '../find-one.js';
import {pathOf, permitted, readTouches} from '../read-touches.js';
import {pathShower} from '../show/shown-path.js';

export default defineTool({
  name: 'code_edit',
  description:
    'Changes a symbol by its name: replaces all that code_read shows of it, inserts before or after it, or renames ' +
    'it where it is defined and used. Refused when the file would no longer parse.',
  effect: 'edit',
  annotations: {destructiveHint: true, idempotentHint: false, openWorldHint: false},
  input: {
    type: 'object',
    required: ['name', 'action'],
    additionalProperties: false,
    properties: {
      name: {type: 'string', minLength: 1, maxLength: 400, description: 'name, or Owner.name'},
      action: {
        type: 'string',
        enum: ['replace', 'insert_before', 'insert_after', 'rename'],
        description: 'What to do.',
      },
      text: {type: 'string', minLength: 1, description: 'The complete new text.'},
      new_name: {
        type: 'string',
        pattern: '^[^\\W\\d][\\w$]*$',
        maxLength: 200,
        description: 'For rename.',
      },
      path: {type: 'string', minLength: 1, description: 'Its file, if needed.'},
    },
  },
  async touches({path}, {service}) {
    return readTouches(path, await service('workspace'));
  },
  async run(input, {call, service, signal, permits, tools}) {
    const [code, workspace] = await Promise.all([service('code'), service('workspace')]);
    const shownPath = await pathShower(workspace);
    const filter = <T extends {readonly path: string}>(found: readonly T[]): Promise<readonly T[]> =>
      permitted(found, permits);
    const one = await findOne(input.name, pathOf(call.touches), {code, signal, shownPath, filter});
    const {path, text} = one.outline;
    const files: FileEdits =
      input.action === 'rename'
        ? await planRename(one, needed(input.new_name, 'new_name', input.action), {code, signal})
        : new Map([
            [path, {text, edits: [planSymbolEdit(one, input.action, needed(input.text, 'text', input.action))]}],
          ]);
    await checkParses(files, {code, index: await service('code-index')});
    const write = (): Promise<ToolResult> =>
      writeAll(files, {tools, signal, instruction: `${input.action} ${input.name}`, shownPath});
    // Between the files of one edit, errors come and go.
    return files.size > 1 ? (await service('code-servers')).unchecked(write) : write();
  },
});

function needed(value: string | undefined, parameter: string, action: string): string {
  if (value !== undefined) return value;
  throw new ToolError('CODE_EDIT_BREAKS', `Nothing was changed: ${parameter} is missing, which ${action} needs.`, {
    hint: `Give ${parameter}.`,
  });
}

interface Writing {
  readonly tools: SessionTools;
  readonly signal: AbortSignal;
  readonly instruction: string;
  readonly shownPath: (path: string) => string;
}

/** Each file by a call of its own, so that rules, previews, checkpoints and versions hold as for any other edit. */
async function writeAll(files: FileEdits, {tools, signal, instruction, shownPath}: Writing): Promise<ToolResult> {
  const done: string[] = [];
  const texts: string[] = [];
  for (const [path, {text, edits}] of files) {
    const {before, after} = asReplacement(text, edits);
    const input = {file_path: path, instruction, old_string: before, new_string: after};
    const outcome = await tools.call({tool: 'replace', input}, {signal});
    if (outcome.status !== 'done') {
      const why = outcome.status === 'refused' ? outcome.reason : outcome.error.message;
      const rest = done.length === 0 ? 'Nothing was changed.' : `Changed before that: ${done.join(', ')}.`;
      throw new ToolError('CODE_EDIT_STOPPED', `${shownPath(path)} was not changed: ${why} ${rest}`, {
        hint: 'Do what the sentence says, or change the file with replace.',
        data: {changed: done},
      });
    }
    done.push(shownPath(path));
    texts.push(typeof outcome.result.model === 'string' ? outcome.result.model : '');
  }
  const places = [...files.values()].reduce((sum, {edits}) => sum + edits.length, 0);
  return {
    model:
      texts.length === 1 ? (texts[0] ?? '') : `Changed ${places} places in ${done.length} files: ${done.join(', ')}.`,
    display: `${places} ${places === 1 ? 'place' : 'places'} in ${done.length} ${done.length === 1 ? 'file' : 'files'}`,
    data: {files: [...files.keys()], places},
  };
}
