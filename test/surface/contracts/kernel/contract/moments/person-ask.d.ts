import type { FormReply, SentForm } from '../form.js';
declare module '../registry.js' {
  interface Moments {
    'person:ask': {
      kind: 'race';
      payload: SentForm;
      answer: FormReply;
    };
  }
}
export declare const personAsk: import('../hook.js').Hook<import('../hook.js').HookKind>;
