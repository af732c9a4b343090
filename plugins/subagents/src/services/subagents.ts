import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveSubagents} from '../live-subagents.js';

/** The agents of one session. */
export default provide('subagents', {
  version: '1.2.0',
  scope: 'session',
  reserved: true,
  local: ['run', 'follow', 'login'],
  methods: ['list', 'waiting', 'refresh', 'lend', 'choose', 'runs', 'acknowledge', 'logout'],
  create: (context) => new LiveSubagents(context),
  async describe(subagents) {
    const {agents, faults} = await subagents.list();
    return `${agents.filter(({enabled}) => enabled).length} in use, ${faults.length} left out`;
  },
});
