import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('yolo', {
  description: 'Run everything without a question; as --approval-mode yolo.',
  type: 'boolean',
  char: 'y',
  value: 'yolo',
  setting: 'general.defaultApprovalMode',
});
