import {defineSetting} from '@gemini-kernel/kernel';

/** Read without what a project says: a project must not open the network. */
export default defineSetting('tools.sandboxAllowedHosts', {
  schema: {type: 'array', items: {type: 'string'}},
  default: [],
  description: 'Hosts that commands in the sandbox may connect to, such as "registry.example.com" or "*.example.com".',
  category: 'Sandbox',
});
