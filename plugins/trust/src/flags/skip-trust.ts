import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('skip-trust', {
  description: 'Trust the current folder for this once.',
  type: 'boolean',
  value: false,
  setting: 'security.folderTrust.enabled',
});
