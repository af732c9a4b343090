import {fixed} from './fixed-suites.js';
import type {Suite} from './suite.js';

const SKILL = 'activate_skill';
/** Where a text begins, in a pattern whose `^` is the start of a line. */
const START = '(?<![\\s\\S])';

function skill(name: string, description: string, body: string): Readonly<Record<string, string>> {
  return {
    [`.gemini/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`,
  };
}

/** Two skills, of which one has a file. */
function skillFiles(): Readonly<Record<string, string>> {
  return {
    ...skill(
      'release-notes',
      'Writes release notes. Use it when the user asks for release notes or a changelog.',
      '# Release notes\n\n1. Read `references/form.md` of this skill.\n2. Write `NOTES.md` in that form, one line ' +
        'for each change that the user names.',
    ),
    '.gemini/skills/release-notes/references/form.md':
      '# Form\n\nThe first line of the file is exactly `Heron notes`. Each change is a line that begins with `~ `.\n',
    ...skill(
      'invoices',
      'Writes invoices. Use it when the user asks for an invoice or a bill.',
      '# Invoices\n\nWrite `INVOICE.md`. Its first line is exactly `Invoice of the otter`, and its last line ' +
        'is the total.',
    ),
    'README.md': '# Shop\n',
  };
}

function activates(name: string): object {
  return {tool: SKILL, input: {name: `^${name}$`}, status: 'success'};
}

/** Whether a model activates the skill that fits, follows it, and reads what it brings. */
export const skills = (): Suite => {
  const common = {files: skillFiles(), allow: [SKILL]};
  return fixed('skills', 'the skill that fits a prompt, its instructions and its files', [
    {
      name: 'right-one',
      toml: {
        ...common,
        prompt: 'Write an invoice for one apple at 3 euros.',
        expect: {
          ...{changed: ['INVOICE.md'], calls: [activates('invoices'), {tool: SKILL, input: {name: 'notes'}, most: 0}]},
        },
      },
    },
    {
      name: 'none-fits',
      toml: {
        ...common,
        prompt: 'What is 17 + 25? Answer with the number.',
        expect: {changed: [], answer: {contains: '42'}, calls: [{tool: SKILL, most: 0}]},
      },
    },
    {
      name: 'followed',
      toml: {
        ...common,
        prompt: 'Make the bill for two pears at 4 euros each.',
        expect: {
          changed: ['INVOICE.md'],
          files: {'INVOICE.md': {pattern: `${START}Invoice of the otter\\n`, contains: '8'}},
          calls: [activates('invoices')],
        },
      },
    },
    {
      name: 'resource-read',
      toml: {
        ...common,
        prompt: 'Write release notes: carts can be emptied, and prices have a tax.',
        expect: {
          changed: ['NOTES.md'],
          files: {'NOTES.md': {pattern: `${START}Heron notes\\n`, contains: '\n~ '}},
          calls: [activates('release-notes')],
        },
      },
    },
  ]);
};
