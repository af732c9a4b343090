import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {LiveConversations} from '../steering/live-conversations.js';

/** The conversations of front ends, and how to steer them. */
export default provide('conversations', {
  version: '1.0.0',
  scope: 'place',
  // It runs a person's requests, and changes what may run without a question.
  reserved: true,
  local: ['session'],
  methods: [
    ...(['open', 'list', 'state', 'find', 'history', 'follow', 'send', 'unqueue', 'stop'] as const),
    ...(['begin', 'resume', 'setMode', 'nextMode', 'setModel', 'setThoughtLevel'] as const),
    ...(['addDirectories', 'rewind', 'close', 'choice'] as const),
    ...(['commands', 'complete'] as const),
  ],
  create: (context) => new LiveConversations(context),
});
