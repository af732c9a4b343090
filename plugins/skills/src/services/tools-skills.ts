import {provide, type ToolSource} from '@gemini-kernel/kernel';
import {describeActivated} from '../activated-text.js';
import type {Skill, SkillContent, Skills} from '../contract.js';
import {describeOrigin} from '../describe-origin.js';
import {ACTIVATE} from '../tool-name.js';

const ends = new WeakMap<ToolSource, () => void>();

/** The tool `activate_skill`, where there is a skill to activate. */
export default provide('tools:skills', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list', 'preview', 'run'],
  create({service, changed}): ToolSource {
    let following: Promise<Skills> | undefined;
    const follow = (): Promise<Skills> =>
      (following ??= service('skills').then((skills) => {
        ends.set(source, skills.follow(changed));
        return skills;
      }));
    /** What a person was shown, by the id of the call. */
    const shown = new Map<string, string>();
    const source: ToolSource = {
      async list() {
        const {skills} = await (await follow()).list();
        const names = skills.filter(({enabled}) => enabled).map(({name}) => name);
        return names.length === 0 ? [] : [describeTool(names)];
      },
      async preview(_, input, {call}) {
        const content = await (await follow()).read(nameOf(input));
        shown.set(call.id, content.digest);
        return {kind: 'text', text: describeContent(content)};
      },
      async run(_, input, {call}) {
        const digest = shown.get(call.id);
        shown.delete(call.id);
        const content = await (await follow()).activate(nameOf(input), digest === undefined ? {} : {digest});
        const {name, folder, origin} = content.skill;
        return {
          model: describeActivated(content),
          display: `activated ${name} (${describeOrigin(content.skill)})`,
          data: {name, folder, origin},
        };
      },
    };
    return source;
  },
  dispose: (source) => ends.get(source)?.(),
});

function describeTool(names: readonly string[]): Awaited<ReturnType<ToolSource['list']>>[number] {
  return {
    name: ACTIVATE,
    description:
      'Activates a skill by its name. Gives its instructions and the names of its files, which you can then read. ' +
      'Use it when a task matches the description of a skill, and before you begin with the task.',
    effect: 'other',
    annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
    input: {
      type: 'object',
      required: ['name'],
      properties: {name: {type: 'string', enum: [...names], description: 'Name of the skill.'}},
    },
  };
}

/** What a person decides about: who wrote the skill, where it is, what it says and what it brings. */
function describeContent({skill, body, tree}: SkillContent): string {
  return [
    `Skill "${skill.name}" (${describeOrigin(skill)}): ${skill.description}`,
    `File: ${skill.file}`,
    'The model follows its instructions and can read its folder. It cannot write there, and nothing runs unasked.',
    '',
    ...(isOwn(skill) ? [] : [body, '']),
    tree,
  ].join('\n');
}

/** Instructions of others are shown in full before they count. */
function isOwn({origin}: Skill): boolean {
  return origin === 'user' || origin === 'built-in';
}

function nameOf(input: unknown): string {
  // The kernel has checked the input against the schema.
  return (input as {readonly name: string}).name;
}
