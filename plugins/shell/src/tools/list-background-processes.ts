import {defineTool} from '@gemini-kernel/kernel';
import {backgroundLine} from '../command-text.js';
import type {} from '../contract.js';

export default defineTool({
  name: 'list_background_processes',
  description:
    'Lists the commands that this session started with is_background, with their process ids and whether ' +
    'they are still running.',
  effect: 'read',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {type: 'object', properties: {}},
  async run(_, {service}) {
    const processes = await (await service('processes')).list();
    return {
      model: processes.length === 0 ? 'No background processes found.' : processes.map(backgroundLine).join('\n'),
      data: {processes},
    };
  },
});
