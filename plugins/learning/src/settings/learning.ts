import {defineSettings} from '@gemini-kernel/kernel';

/** How much is learned from sessions in the background, and whether their end says what went badly. */
export default defineSettings('learning', {
  hint: {
    schema: {type: 'boolean'},
    default: false,
    description: 'After a conversation with many refusals, failures or searches, say what gemini reflect shows.',
    category: 'Learning',
  },
  model: {
    schema: {type: 'string'},
    default: '',
    description: 'The model that looks through old sessions; empty: that of the session.',
    category: 'Learning',
  },
  tokensPerDay: {
    schema: {type: 'integer', minimum: 0},
    default: 100_000,
    description: 'Tokens that learning from old sessions may take in a day, in each project.',
    category: 'Learning',
  },
});
