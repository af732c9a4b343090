import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('policy', {
  description: 'A file or folder of rules, beside those in ~/.gemini/policies.',
  type: 'string',
  multiple: true,
  setting: 'policyPaths',
});
