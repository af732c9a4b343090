import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {SessionGrants} from '../grants/session-grants.js';

/** Decides with the person which optional capabilities plugins get. */
export default provide('plugin-grants', {
  version: '1.0.0',
  scope: 'session',
  reserved: true,
  methods: ['decide'],
  create: (context) => new SessionGrants(context),
});
