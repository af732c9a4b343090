import {defineSetting} from '@gemini-kernel/kernel';

/** What web_fetch reaches besides the public internet. */
export default defineSetting('web.privateHosts', {
  schema: {type: 'array', items: {type: 'string'}},
  description:
    'Hosts that web_fetch reaches although they are not public: a name, *.example.com, or an address, each with or ' +
    'without a port. Settings of a project do not count.',
  category: 'Web',
  merge: 'union',
});
