import {defineTool} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';
import {pathOf, permitted, readTouches} from '../read-touches.js';
import {DEFAULT_TOKENS, MOST_TOKENS} from '../show/budget.js';
import {mapText} from '../show/map-text.js';
import {pathShower} from '../show/shown-path.js';

export default defineTool({
  name: 'code_map',
  description: 'Shows the files and symbols that the rest of the repository uses most. Use it first in unknown code.',
  effect: 'search',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      path: {type: 'string', minLength: 1, description: 'Only this folder.'},
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
    const [code, workspace] = await Promise.all([service('code'), service('workspace')]);
    const ranked = await permitted(await code.ranked(pathOf(call.touches), signal), permits);
    const {text, files, leftOut} = mapText(ranked, {tokens, shownPath: await pathShower(workspace)});
    if (files.length === 0) return {model: 'There are no files of a known programming language.', data: {files: []}};
    const rest = leftOut === 0 ? '' : `\n(${leftOut} more files; set path or max_tokens.)`;
    return {model: text + rest, display: `${files.length} of ${ranked.length} files`, data: {files, leftOut}};
  },
});
