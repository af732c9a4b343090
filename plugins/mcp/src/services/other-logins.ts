import {createRequire} from 'node:module';
import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveOtherLogins} from '../auth/other-logins.js';

/** Logins as those at MCP servers, for other plugins. */
export default provide('other-logins', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  // Bodies, answers and the desk belong to this process.
  local: ['send', 'logIn'],
  methods: ['logOut'],
  create(context) {
    const {version} = createRequire(import.meta.url)('../../package.json') as {version: string};
    return new LiveOtherLogins(context, version);
  },
});
