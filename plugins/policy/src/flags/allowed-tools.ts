import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('allowed-tools', {
  description: 'Tools that run without a question: read_file, "run_shell_command(git status)".',
  type: 'string',
  multiple: true,
  setting: 'tools.allowed',
});
