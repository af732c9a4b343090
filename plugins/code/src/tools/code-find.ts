import {defineTool, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {FindRequest, Found, FoundSymbol, Reference} from '../contract.js';
import {settleReferences} from '../find/settle-references.js';
import {pathOf, permitted, readTouches} from '../read-touches.js';
import {findText} from '../show/find-text.js';
import {pathShower} from '../show/shown-path.js';

export default defineTool({
  name: 'code_find',
  description:
    'Finds where a symbol is defined, used or implemented, by its name. Comments, texts and other things of that ' +
    'name do not count.',
  effect: 'search',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: {type: 'string', minLength: 1, maxLength: 400, description: 'name, or Owner.name'},
      what: {
        type: 'string',
        enum: ['definitions', 'references', 'implementations'],
        default: 'definitions',
        description: 'What to find.',
      },
      path: {type: 'string', minLength: 1, description: 'Only below it.'},
      defined_in: {
        type: 'string',
        minLength: 1,
        description: 'For references: the file of the one meant.',
      },
      max_results: {type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'How many to give.'},
    },
  },
  async touches({path, defined_in: definedIn}, {service}) {
    const workspace = await service('workspace');
    const touches = await readTouches(path, workspace);
    if (definedIn === undefined) return touches;
    return [...touches, {kind: 'path', value: await workspace.resolve(definedIn, {access: 'read'}), access: 'read'}];
  },
  async run(input, {call, service, signal, permits}): Promise<ToolResult> {
    const {name, what = 'definitions', max_results: most = 100, defined_in: from} = input;
    const [code, workspace] = await Promise.all([service('code'), service('workspace')]);
    const path = pathOf(call.touches);
    const definedIn = from === undefined ? undefined : await workspace.resolve(from, {access: 'read'});
    const request: FindRequest = {
      ...{name, most, signal},
      ...(path === undefined ? {} : {path}),
      ...(definedIn === undefined ? {} : {definedIn}),
    };
    const named: Found<FoundSymbol> | Found<Reference> = await code[what](request);
    const settled =
      what === 'references'
        ? await settleReferences({
            request: {...request, signal},
            found: named as Found<Reference>,
            code,
            servers: await service('code-servers'),
          })
        : undefined;
    const found = settled ?? named;
    const items = await permitted<FoundSymbol | Reference>(found.items, permits);
    const similar = items.length === 0 ? await code.similar(name, signal) : [];
    const text = findText(
      {items, isLimited: found.isLimited},
      {name, what, similar, settled, shownPath: await pathShower(workspace)},
    );
    return {
      model: text,
      display: `${items.length}${found.isLimited ? '+' : ''} ${what}`,
      data: {
        ...{name, what, items, isLimited: found.isLimited, similar},
        ...(settled ? {server: settled.server, others: settled.others.length} : {}),
      },
    };
  },
});
