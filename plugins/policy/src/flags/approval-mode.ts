import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('approval-mode', {
  description:
    'What runs without a question: default (reading), auto_edit (edits too), plan (reading only), yolo (everything).',
  type: 'string',
  options: ['default', 'auto_edit', 'plan', 'yolo'],
  setting: 'general.defaultApprovalMode',
});
