import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveHooks} from '../live-hooks.js';

/** The hooks of one session, their processes and what they decided. */
export default provide('hooks', {
  version: '1.0.0',
  scope: 'session',
  reserved: true,
  methods: [
    ...(['list', 'reload', 'test', 'trust', 'toolInput', 'toolJudge', 'toolResult', 'toolEnd', 'toolConfirm'] as const),
    ...(['toolsOffer', 'promptSubmit', 'turnEnd', 'modelRequest', 'modelResponse'] as const),
    ...(['sessionOpen', 'sessionClose', 'historyCompress'] as const),
  ],
  create: (context) => new LiveHooks(context),
  describe: async (hooks) => {
    const all = await hooks.list();
    return `${all.length} configured, ${all.filter(({leftOut}) => leftOut === undefined).length} in use`;
  },
  dispose: (hooks) => (hooks as LiveHooks).close(),
});
