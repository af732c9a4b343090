import {provide} from '@gemini-kernel/kernel';
import type {View} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** The skills of this conversation, and what looks like one and does not count. */
export default provide('view:skills', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => ({
    describe: async () => ({
      title: 'Skills',
      empty: 'There are none. gemini skills new makes one.',
      search: 'labels',
      sorts: [],
      inLines: 'command',
      actions: [
        {name: 'read', key: 'o', label: 'read'},
        {name: 'disable', key: 'd', label: 'disable', confirm: 'Disable this skill?'},
        {name: 'enable', key: 'e', label: 'enable'},
      ],
    }),
    list: async () => {
      const {skills, faults} = await (await service('skills')).list();
      return [
        ...skills.map(({name, description, origin, owner, enabled}) => ({
          id: name,
          label: `${name}: ${description}`,
          details: `${owner ?? origin}${enabled ? '' : ', disabled'}`,
        })),
        ...faults.map(({file, kind}) => ({id: file, label: file, details: kind})),
      ];
    },
    preview: async (id) => {
      const skills = await service('skills');
      const {skills: all, faults} = await skills.list();
      const fault = faults.find(({file}) => file === id);
      if (fault) return [{kind: 'text', title: fault.file, text: `It does not count: it ${fault.reason}.`}];
      const skill = all.find(({name}) => name === id);
      if (!skill) return [{kind: 'text', text: 'It is no longer there.'}];
      const {body, tree} = await skills.read(id);
      return [
        {kind: 'text', title: skill.name, text: `${skill.description}\n${skill.file}`},
        {kind: 'markdown', text: body},
        {kind: 'text', title: 'Files', text: tree},
      ];
    },
    act: async (action, id) => (action === 'read' ? {kind: 'read'} : {kind: 'command', words: ['skills', action, id]}),
  }),
});
