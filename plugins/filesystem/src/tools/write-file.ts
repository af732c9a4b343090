import {defineTool, subjectOf, ToolError, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {compare, previewOf, snippetOf} from '../change.js';
import type {} from '../contract.js';
import {LEGACY_ENCODING} from '../encoding.js';
import {omissionsIn} from '../omission.js';
import {touchOf} from '../path-touch.js';
import {commit, openTarget, otherNamesOf, readExisting} from '../write-target.js';
import {writtenContent, type WrittenContent} from '../written-content.js';

export default defineTool({
  name: 'write_file',
  description:
    'Writes a whole file, creating it and its directories if they do not exist. Pass the complete ' +
    'content: placeholder lines for omitted code are refused. An existing file keeps its encoding and ' +
    'mode. Use replace to change a part of a file.',
  effect: 'edit',
  annotations: {destructiveHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['file_path', 'content'],
    properties: {
      file_path: {
        type: 'string',
        minLength: 1,
        description: 'Path of the file, absolute or relative to the working directory.',
      },
      content: {type: 'string', description: 'The complete new content.'},
    },
  },
  async touches({file_path}, {service}) {
    return touchOf(file_path, 'write', await service('workspace'));
  },
  async preview({content}, {call, service, signal}) {
    const path = subjectOf(call);
    refuseOmissions(path, content);
    const existing = await readExisting(path, {
      ...{workspace: await service('workspace'), buffers: await service('buffers'), signal},
    });
    const {before, after} = await writtenContent(existing, content, async () =>
      (await service('settings')).get(LEGACY_ENCODING),
    );
    if (before !== undefined) return previewOf(path, before, after);
    return {kind: 'text', text: `${path}: the whole file is replaced. It is too large to show the changes.`};
  },
  revise: (input, {text}) => ({...input, content: text}),
  async run({content}, {call, service, signal}) {
    const path = subjectOf(call);
    refuseOmissions(path, content);
    const [workspace, buffers] = [await service('workspace'), await service('buffers')];
    const target = await openTarget(path, {workspace, buffers, signal, create: true});
    try {
      const written = await writtenContent(target.existing, content, async () =>
        (await service('settings')).get(LEGACY_ENCODING),
      );
      await commit(target, [written.bytes], {versions: await service('versions'), buffers, signal});
      return await resultOf(path, written, otherNamesOf(target));
    } finally {
      await target.folder.close();
    }
  },
});

function refuseOmissions(path: string, content: string): void {
  const [omission] = omissionsIn(content);
  if (omission === undefined) return;
  throw new ToolError(
    'TEXT_ABBREVIATED',
    `The content for ${path} has the line "${omission}" in place of the code itself.`,
    {hint: 'Pass the complete content, or use replace to change a part of the file.'},
  );
}

async function resultOf(
  path: string,
  {bytes, codec, before, after}: WrittenContent,
  note: string,
): Promise<ToolResult> {
  const created = before === null;
  const base = {path, created, bytes: bytes.length};
  if (before === undefined)
    return {
      model: `Overwrote ${path} (${bytes.length} bytes).${note}`,
      display: `overwrote ${bytes.length} bytes`,
      data: base,
    };
  const {linesAdded, linesRemoved, places} = await compare(path, before, after);
  const data = {...base, linesAdded, linesRemoved};
  if (created)
    return {model: `Created the new file ${path} (${linesAdded} lines).`, display: `created, +${linesAdded}`, data};
  const snippet = snippetOf([bytes], codec, {places, around: 2});
  return {
    model:
      `Overwrote the file ${path} (${linesAdded} lines added, ${linesRemoved} ` +
      `removed).${note}${places.length === 0 ? '' : ` Here is the updated code:\n${snippet}`}`,
    display: `+${linesAdded} -${linesRemoved}`,
    data,
  };
}
