import {defineSettings} from '@gemini-kernel/kernel';

/** How much is learned from sessions in the background, once `experimental.autoMemory` is on. */
export default defineSettings('learning', {
  tokensPerDay: {
    schema: {type: 'integer', minimum: 0},
    default: 100_000,
    description: 'Tokens that learning from old sessions may take in a day, in each project.',
    category: 'Learning',
  },
});
