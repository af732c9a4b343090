import {setTimeout} from 'node:timers/promises';
import {defineTool} from '@gemini-kernel/kernel';
import {backgroundText} from '../command-text.js';
import type {} from '../contract.js';

const DEFAULT_LINES = 100;

export default defineTool({
  name: 'read_background_output',
  description: 'Reads the last lines of output of a background process of this session, at most 64 KB.',
  effect: 'read',
  annotations: {readOnlyHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['pid'],
    properties: {
      pid: {type: 'integer', minimum: 1, description: 'The process id that run_shell_command returned.'},
      lines: {type: 'integer', minimum: 1, description: 'How many lines to read; 100 by default.'},
      delay_ms: {
        type: 'integer',
        minimum: 0,
        maximum: 300_000,
        description: 'How many milliseconds to wait before reading.',
      },
    },
  },
  async run({pid, lines = DEFAULT_LINES, delay_ms = 0}, {service, signal}) {
    const processes = await service('processes');
    await setTimeout(delay_ms, undefined, {signal}).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
    const read = await processes.read(pid, {lines});
    const {
      output: {text: _, ...amounts},
      ...process
    } = read;
    return {model: backgroundText(read), data: {...process, ...amounts}};
  },
});
