import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('admin-policy', {
  description: 'A file or folder of rules that nothing outranks.',
  type: 'string',
  multiple: true,
  setting: 'adminPolicyPaths',
});
