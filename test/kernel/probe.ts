import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {listenerCode, makePlugin} from '../helpers/make-plugin.js';

export type {CatalogPlugin} from '@gemini-kernel/kernel/host';

/** Announces the moments of the probe plugin. */
export interface HookKindProbe {
  dispatch(hook: string, payload: unknown): Promise<unknown>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    probe: HookKindProbe;
  }
}

/**
 * A plugin that owns one moment of each kind, announces moments on request, and has a tool that follows its input.
 */
export function makeProbe(folder: string): Promise<CatalogPlugin> {
  const timeoutMs = 150;
  const description = 'For a test.';
  return makePlugin(folder, {
    name: 'probe',
    services: [{name: 'probe', version: '1.0.0', scope: 'session', module: './service.js'}],
    hooks: [
      {name: 'probe:notify', kind: 'notify', description, timeoutMs},
      {name: 'probe:collect', kind: 'collect', description, timeoutMs, answer: {type: 'string'}},
      {name: 'probe:transform', kind: 'transform', description, timeoutMs, answer: {type: 'string'}},
      {name: 'probe:frozen', kind: 'transform', description, timeoutMs},
      {name: 'probe:first', kind: 'first', description, timeoutMs, unanswered: 'default'},
      {name: 'probe:race', kind: 'race', description, timeoutMs, unanswered: 'default'},
      {
        name: 'probe:filtered',
        kind: 'gate',
        description,
        timeoutMs,
        filters: ['path'],
        unanswered: {decision: 'ask', reason: 'nobody'},
      },
      {name: 'probe:gate', kind: 'gate', description, timeoutMs, unanswered: {decision: 'ask', reason: 'nobody'}},
    ],
    tools: [
      {
        name: 'echo',
        description: 'Says it again.',
        effect: 'read',
        annotations: {},
        input: {type: 'object', required: ['text'], properties: {text: {type: 'string'}}},
        module: './tool.js',
      },
    ],
    listeners: [{hook: 'tool:judge', filter: {tool: 'echo'}, module: './judge.js'}],
    files: {
      'service.js':
        "import {provide} from '@gemini-kernel/kernel';\nexport default provide('probe', {version: '1.0.0', " +
        "scope: 'session', create: ({dispatch}) => ({dispatch})});\n",
      'judge.js': listenerCode('tool:judge', "return {decision: 'allow', reason: 'It only speaks.'};"),
      'tool.js': `import {defineTool, ToolError} from '@gemini-kernel/kernel';
export default defineTool({
  name: 'echo', description: 'Says it again.', effect: 'read', input: {type: 'object'},
  async run({text}) {
    if (text === 'fail') throw new ToolError('ECHO_FAILED', 'The input says fail.');
    if (text === 'nonsense') return 5;
    if (text === 'crash') throw new TypeError('crashed');
    if (text === 'slow') await new Promise((done) => setTimeout(done, 300));
    return {model: text};
  },
});
`,
    },
  });
}
