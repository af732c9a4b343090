import {defineHook} from '../hook.js';
import type {ToolCall} from '../tool-call.js';
import type {ApprovalChoice} from './tool-choices.js';

declare module '../registry.js' {
  interface Moments {
    'tool:approved': {
      kind: 'notify';
      payload: {readonly call: ToolCall; readonly remember: 'session' | 'always'; readonly choice: ApprovalChoice};
    };
  }
}

/** A person said yes to a call and wants the answer kept. */
export const toolApproved = defineHook('tool:approved', {
  kind: 'notify',
  description: 'A person approved a call for longer than this once.',
  reserved: true,
  filters: ['tool', 'effect', 'path', 'mode'],
});
