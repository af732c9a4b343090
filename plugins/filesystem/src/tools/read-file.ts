import {defineTool, subjectOf, ToolError, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {withBuffer} from '../buffered.js';
import type {} from '../contract.js';
import {LEGACY_ENCODING} from '../encoding.js';
import {readContent, type FileContent, type TextContent} from '../file-content.js';
import {openFile, sizeOf} from '../opened-file.js';
import {refuseIgnored, touchOf} from '../path-touch.js';

export default defineTool({
  name: 'read_file',
  description:
    'Reads one file. Text is returned unchanged, without line numbers, at most 2000 lines unless ' +
    'end_line is given; lines over 2000 characters are cut. Use start_line and end_line to read a part ' +
    'of a large file. Images, PDF, audio and video are returned as media.',
  effect: 'read',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['file_path'],
    properties: {
      file_path: {
        type: 'string',
        minLength: 1,
        description: 'Path of the file, absolute or relative to the working directory.',
      },
      start_line: {type: 'integer', minimum: 1, description: 'First line to read, counted from 1.'},
      end_line: {type: 'integer', minimum: 1, description: 'Last line to read, inclusive.'},
    },
  },
  async touches({file_path}, {service}) {
    return touchOf(file_path, 'read', await service('workspace'));
  },
  async run({start_line, end_line}, {call, service, signal}) {
    if (start_line !== undefined && end_line !== undefined && start_line > end_line) {
      throw new ToolError('LINE_RANGE_REVERSED', `start_line (${start_line}) is greater than end_line (${end_line}).`, {
        hint: 'Swap them.',
      });
    }
    const path = subjectOf(call);
    const workspace = await service('workspace');
    await refuseIgnored(path, workspace);
    const opened = await openFile(path, workspace, {access: 'read'});
    try {
      const file = await withBuffer(opened, {buffers: await service('buffers'), signal});
      const legacy = async (): Promise<unknown> => (await service('settings')).get(LEGACY_ENCODING);
      const {content, version} = await readContent(file, {startLine: start_line, endLine: end_line, legacy, signal});
      await (await service('versions')).remember(path, version);
      return resultOf(path, sizeOf(file), content);
    } finally {
      await opened.handle.close();
    }
  },
});

function resultOf(path: string, bytes: number, content: FileContent): ToolResult {
  if (content.kind === 'media') {
    const {mimeType, data} = content;
    return {
      model: [{inlineData: {mimeType, data}}],
      display: `${mimeType}, ${bytes} bytes`,
      data: {path, mimeType, bytes},
    };
  }
  if (content.kind === 'binary') {
    return {
      model: `${path} is a binary file of ${bytes} bytes; its content cannot be shown.`,
      display: `binary, ${bytes} bytes`,
      data: {path, bytes, binary: true},
    };
  }
  const {firstLine, lastLine, totalLines, truncated, encoding} = content;
  const model = textOf(content);
  return {
    model,
    ...(model === content.text ? {} : {plain: content.text}),
    display:
      totalLines === 0
        ? 'empty file'
        : `lines ${firstLine}-${lastLine}${totalLines === undefined ? '' : ` of ${totalLines}`}`,
    data: {path, firstLine, lastLine, ...(totalLines === undefined ? {} : {totalLines}), truncated, encoding},
  };
}

function textOf(content: TextContent): string {
  const {text, truncated, firstLine, lastLine, totalLines, cutLines, replacements} = content;
  const doubt =
    replacements === 0
      ? ''
      : `\nWARNING: ${replacements} bytes are not valid UTF-8 and are shown as \uFFFD; the file cannot be edited ` +
        `unless ${LEGACY_ENCODING} is set.\n`;
  if (!truncated) return doubt === '' ? text : `${doubt}\n--- FILE CONTENT ---\n${text}`;
  const cut = cutLines === 0 ? '' : ` ${cutLines} of them ${cutLines === 1 ? 'is' : 'are'} cut after 2000 characters.`;
  const total = totalLines === undefined ? ', and the file continues' : ` of ${totalLines}`;
  const action =
    totalLines === undefined || lastLine < totalLines
      ? `To continue, call read_file with start_line: ${lastLine + 1}.`
      : 'The file ends after these lines.';
  return (
    `\nIMPORTANT: This is not the whole content of the file.\nStatus: Lines ${firstLine}-${lastLine}${total}.${cut}\n` +
    `Action: ${action}\n${doubt}\n--- FILE CONTENT (truncated) ---\n${text}`
  );
}
