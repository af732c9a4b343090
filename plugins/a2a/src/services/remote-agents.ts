import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveRemoteAgents} from '../remote/live-remote-agents.js';

/** Agents of other programs, over A2A. */
export default provide('remote-agents', {
  version: '1.2.0',
  scope: 'session',
  capability: 'net',
  // Calls have signals, and say how far they are.
  local: true,
  reserved: true,
  create: (context) => new LiveRemoteAgents(context),
});
