import {defineSettings} from '@gemini-kernel/kernel';

/** What the last row of a conversation shows beside what is built in. */
export default defineSettings('ui.footer', {
  command: {
    schema: {type: 'string'},
    default: '',
    description: 'A command whose first line the footer shows as the item command-output; not from a project.',
    category: 'UI',
  },
});
