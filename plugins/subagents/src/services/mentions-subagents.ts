import {provide} from '@gemini-kernel/kernel';
import type {MentionSource} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {INVOKE} from '../tool-name.js';

/** `@name` of an agent in a prompt asks for that agent. */
export default provide('mentions:subagents', {
  version: '1.0.0',
  scope: 'session',
  methods: ['resolve', 'complete'],
  create: ({service, session}): MentionSource => {
    const enabled = async () => {
      if (session.subagent !== undefined) return [];
      return (await (await service('subagents')).list()).agents.filter((agent) => agent.enabled);
    };
    return {
      async resolve(text) {
        const agent = (await enabled()).find(({name}) => name === text);
        if (!agent) return undefined;
        return [{text: `The person wants the agent "${agent.name}" to do this: call ${INVOKE} with it.`}];
      },
      complete: async (prefix) => (await enabled()).filter(({name}) => name.startsWith(prefix)).map(({name}) => name),
    };
  },
});
