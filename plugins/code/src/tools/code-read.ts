import {createHash} from 'node:crypto';
import {defineTool} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-filesystem/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';
import {findOne} from '../find-one.js';
import {readSource} from '../parse/source-file.js';
import {pathOf, permitted, readTouches} from '../read-touches.js';
import {pathShower} from '../show/shown-path.js';

/** Longer symbols are cut: their parts have names too. */
const MOST_LETTERS = 60_000;

export default defineTool({
  name: 'code_read',
  description: 'Reads one function, class, method or other symbol by its name, with its comments, exactly as it is.',
  effect: 'read',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: {type: 'string', minLength: 1, maxLength: 400, description: 'name, or Owner.name'},
      path: {type: 'string', minLength: 1, description: 'Its file, if needed.'},
    },
  },
  async touches({path}, {service}) {
    return readTouches(path, await service('workspace'));
  },
  async run({name}, {call, service, signal, permits}) {
    const [code, workspace, versions] = await Promise.all([service('code'), service('workspace'), service('versions')]);
    const shownPath = await pathShower(workspace);
    const filter = <T extends {readonly path: string}>(found: readonly T[]): Promise<readonly T[]> =>
      permitted(found, permits);
    const {outline, symbol} = await findOne(name, pathOf(call.touches), {code, signal, shownPath, filter});
    const source = readSource(outline.path);
    // The next write by the file tools is refused when the file is another one by then.
    if (!('fault' in source) && source.text === outline.text)
      await versions.remember(outline.path, {
        stamp: source.stamp,
        sha256: createHash('sha256').update(source.bytes).digest('hex'),
      });
    // From the start of its line, so that the indentation is there.
    const lineStart = outline.text.lastIndexOf('\n', symbol.from - 1) + 1;
    const from = /^\s*$/.test(outline.text.slice(lineStart, symbol.from)) ? lineStart : symbol.from;
    const text = outline.text.slice(from, symbol.end);
    const firstLine = symbol.line - (outline.text.slice(from, symbol.start).match(/\n/g)?.length ?? 0);
    const head = `${shownPath(outline.path)}:${firstLine}-${symbol.endLine}`;
    const cut = text.length > MOST_LETTERS ? `\n(cut after ${MOST_LETTERS} of ${text.length} letters)` : '';
    const shown = text.slice(0, MOST_LETTERS);
    return {
      model: `${head}\n${shown}${cut}`,
      plain: shown,
      display: `${symbol.kind} ${symbol.name}, ${head}`,
      data: {path: outline.path, firstLine, lastLine: symbol.endLine, kind: symbol.kind, text: shown},
    };
  },
});
