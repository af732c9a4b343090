import {defineFlag} from '@gemini-kernel/kernel';

/** Read without what a project says: a project must not answer for the person. */
export default defineFlag('answers', {
  description: 'Answer questions of the model from this JSON file, such as {"Database": "PostgreSQL"}.',
  type: 'string',
  commands: ['chat'],
  setting: 'questions.answers',
});
