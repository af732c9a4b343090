import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveSkills} from '../live-skills.js';

/** The skills of one session. */
export default provide('skills', {
  version: '1.0.0',
  scope: 'session',
  reserved: true,
  local: ['follow'],
  methods: ['list', 'read', 'activate', 'refresh'],
  create: (context) => new LiveSkills(context),
  async describe(skills) {
    const {skills: found, faults, off} = await skills.list();
    return off ?? `${found.filter(({enabled}) => enabled).length} in use, ${faults.length} left out`;
  },
});
