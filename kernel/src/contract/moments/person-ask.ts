import type {FormReply, SentForm} from '../form.js';
import {defineHook} from '../hook.js';
import type {JSONSchema} from '../json-schema.js';

declare module '../registry.js' {
  interface Moments {
    'person:ask': {kind: 'race'; payload: SentForm; answer: FormReply};
  }
}

const replySchema: JSONSchema = {
  type: 'object',
  required: ['outcome'],
  properties: {outcome: {enum: ['answered', 'closed']}, values: {type: 'object'}},
};

/**
 * A form for the person. Every user interface is asked at once and the first reply counts. No reply means that no one
 * is there.
 */
export const personAsk = defineHook('person:ask', {
  kind: 'race',
  description: 'Asks the person to fill in a form.',
  timeoutMs: 0,
  reserved: true,
  filters: ['mode'],
  answer: replySchema,
});
