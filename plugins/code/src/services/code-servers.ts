import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveServers} from '../servers/live-servers.js';

/** The language servers of a place. Nothing is looked up before the first question; they end with the place. */
export default provide('code-servers', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  // Its servers are processes of this one.
  local: true,
  create: (context) => new LiveServers(context),
  dispose: (servers) => (servers as LiveServers).close(),
});
