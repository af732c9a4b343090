import {KernelError, provide} from '@gemini-kernel/kernel';
import type {CommandOrigin, CommandOutcome, CommandSource} from '@gemini-kernel/plugin-agent/contract';
import type {Skill, Skills} from '../contract.js';
import {ACTIVATE} from '../tool-name.js';

const ends = new WeakMap<CommandSource, () => void>();

/** Skills as slash commands: `/name what to do` activates the skill and sends the text. */
export default provide('commands:skills', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list', 'run'],
  create({service, tools, changed}): CommandSource {
    let following: Promise<Skills> | undefined;
    const follow = (): Promise<Skills> =>
      (following ??= service('skills').then((skills) => {
        ends.set(source, skills.follow(changed));
        return skills;
      }));
    const commands = async (): Promise<readonly (readonly [string, Skill])[]> => {
      const {skills} = await (await follow()).list();
      const usable = skills.filter(({enabled, origin}) => enabled && origin !== 'built-in');
      return [...new Map(usable.map((skill) => [toWord(skill.name), skill] as const))].filter(([word]) => word !== '');
    };
    const source: CommandSource = {
      list: async () =>
        (await commands()).map(([name, skill]) => ({
          name,
          description: skill.description.replaceAll(/\s+/g, ' '),
          argumentHint: '[what to do]',
          origin: originOf(skill),
        })),
      async run(command, {text}, signal): Promise<CommandOutcome> {
        const skill = (await commands()).find(([name]) => name === command)?.[1];
        if (!skill) throw new KernelError('SKILL_UNKNOWN', `There is no skill for /${command} now.`);
        // The person typed its name: that is the answer to the question about this call.
        const outcome = await tools.call({tool: ACTIVATE, input: {name: skill.name}}, {asker: 'person', signal});
        if (outcome.status === 'refused')
          return {kind: 'message', severity: 'warning', text: `/${command} was refused: ${outcome.reason}`};
        if (outcome.status === 'failed')
          throw new KernelError(outcome.error.code, outcome.error.message, {hint: outcome.error.hint});
        const {model} = outcome.result;
        const asked = text === '' ? `Use the skill "${skill.name}" for what we are doing.` : text;
        return {kind: 'prompt', parts: [...(typeof model === 'string' ? [{text: model}] : model), {text: asked}]};
      },
    };
    return source;
  },
  dispose: (source) => ends.get(source)?.(),
});

/** The name as one word that can be typed. */
function toWord(name: string): string {
  return name.replace(/^\/+/, '').replaceAll(/[\s\p{C}"'\\]+/gu, '-');
}

function originOf({origin, owner}: Skill): CommandOrigin {
  if (origin === 'project') return {kind: 'project'};
  return origin === 'extension' || origin === 'bundle' ? {kind: 'extension', name: owner ?? origin} : {kind: 'person'};
}
