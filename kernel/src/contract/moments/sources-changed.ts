import {defineHook} from '../hook.js';

declare module '../registry.js' {
  interface Moments {
    'sources:changed': {kind: 'notify'; payload: {readonly source: string}};
  }
}

/** What a source lists, such as the tools of `tools:<owner>`, has changed. Ask for the list again. */
export const sourcesChanged = defineHook('sources:changed', {
  kind: 'notify',
  description: 'What a source lists has changed.',
});
