import {lstat} from 'node:fs/promises';
import {defineTool, subjectOf, ToolError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';
import {permitted, readTouches} from '../read-touches.js';
import {DEFAULT_TOKENS, MOST_TOKENS} from '../show/budget.js';
import {mapText} from '../show/map-text.js';
import {outlineText, visibleSymbols} from '../show/outline-text.js';
import {pathShower} from '../show/shown-path.js';

export default defineTool({
  name: 'code_outline',
  description: 'Lists the symbols of a source file or folder, with signatures and lines: far shorter than the text.',
  effect: 'read',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: {type: 'string', minLength: 1, description: 'Path of the file or folder.'},
      max_tokens: {
        type: 'integer',
        minimum: 50,
        maximum: MOST_TOKENS,
        default: DEFAULT_TOKENS,
        description: 'How long the answer may be.',
      },
    },
  },
  async touches({path}, {service}) {
    return readTouches(path, await service('workspace'));
  },
  async run({max_tokens: tokens = DEFAULT_TOKENS}, {call, service, signal, permits}) {
    const path = subjectOf(call);
    const [code, workspace] = await Promise.all([service('code'), service('workspace')]);
    const found = await lstat(path).catch((cause: unknown) => {
      throw new ToolError('CODE_UNREADABLE', `Cannot outline ${path}: it does not exist or cannot be read.`, {
        cause,
        hint: 'Find the file with glob.',
      });
    });
    if (found.isDirectory()) {
      const ranked = await permitted(await code.ranked(path, signal), permits);
      const map = mapText(ranked, {tokens, shownPath: await pathShower(workspace)});
      const rest = map.leftOut === 0 ? '' : `\n(${map.leftOut} more files; set max_tokens, or outline a folder in it.)`;
      if (map.files.length === 0) return {model: `${path} has no files of a known language.`, data: {path, files: []}};
      return {model: map.text + rest, display: `${map.files.length} files`, data: {path, files: map.files}};
    }
    const outline = await code.outline(path);
    const {text, shown, leftOut} = outlineText(outline, tokens);
    const notes = [
      ...(leftOut === 0 ? [] : [`(${leftOut} more symbols; set max_tokens.)`]),
      ...(outline.hasFaults ? ['(The file has syntax errors; symbols may be missing.)'] : []),
    ];
    const symbols = visibleSymbols(outline.symbols).map(({symbol}) => symbol);
    return {
      model: [shown === 0 ? `${path} has no symbols.` : text, ...notes].join('\n'),
      display: `${shown} symbols`,
      data: {path, language: outline.language, symbols},
    };
  },
});
