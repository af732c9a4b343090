import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {ASK_USER} from '../tool-name.js';

export default defineTool({
  name: ASK_USER,
  description:
    'Asks the user one to four questions and waits for the answers. Use it when you need a preference or a decision ' +
    'that the request, the files and the context do not settle. Do not ask what you can find out.',
  effect: 'other',
  annotations: {readOnlyHint: true, idempotentHint: false, openWorldHint: false},
  input: {
    type: 'object',
    required: ['questions'],
    properties: {
      questions: {
        type: 'array',
        description: 'One to four, asked at once.',
        minItems: 1,
        maxItems: 4,
        items: {
          type: 'object',
          required: ['question', 'header', 'type'],
          properties: {
            question: {type: 'string', minLength: 1, description: 'A whole sentence.'},
            header: {type: 'string', minLength: 1, description: 'One or two words, such as "Database".'},
            type: {
              type: 'string',
              enum: ['choice', 'text', 'yesno'],
              description: 'choice: with options, and the user can also answer in other words.',
            },
            options: {
              type: 'array',
              description: 'Two to four for a choice; put the one that you recommend first.',
              items: {
                type: 'object',
                required: ['label', 'description'],
                properties: {
                  label: {type: 'string', minLength: 1, description: 'One to five words.'},
                  description: {type: 'string', description: 'What it means or costs.'},
                },
              },
            },
            multiSelect: {type: 'boolean', description: 'Whether several options can be chosen.'},
            placeholder: {type: 'string', description: 'An example of an answer of type text.'},
          },
        },
      },
    },
  },
  async run({questions}, {service, signal}) {
    const answered = await (await service('questions')).ask(questions, signal);
    if (answered.outcome === 'closed')
      return {
        model: 'The user closed the questions without answering them.',
        display: 'closed without an answer',
        data: {outcome: 'closed'},
      };
    const {answers} = answered;
    return {
      model: JSON.stringify({answers: Object.fromEntries(answers.entries())}),
      display: answers.map((answer, index) => `${questions[index]?.header ?? ''}: ${answer}`).join('\n'),
      data: {outcome: 'answered', answers},
    };
  },
});
