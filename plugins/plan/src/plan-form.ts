import type {Form} from '@gemini-kernel/kernel';
import type {PlanFile} from './contract.js';

/** The answers to a plan. */
export type Choice = 'default' | 'auto_edit' | 'edit' | 'no';

const EVERY_LINE = /\r\n|[\r\n]/;

/** Shows a plan, and asks whether it is carried out. */
export function planForm({name, path}: PlanFile, text: string): Form {
  return {
    title: `Plan: ${name}`,
    text: text.trimEnd().split(EVERY_LINE).join('\n'),
    about: {kind: 'plan', name, path},
    fields: [
      {
        name: 'answer',
        label: 'Carry out this plan?',
        kind: 'choice',
        options: [
          {value: 'default', key: 'y', label: 'yes', description: 'Each change and command is asked about as usual.'},
          {value: 'auto_edit', key: 'a', label: 'auto-edit', description: 'Yes, and files are edited without asking.'},
          {value: 'edit', key: 'e', label: 'edit', description: `You change ${path} first.`},
          {value: 'no', key: 'n', label: 'no', description: 'You say what to change.'},
        ],
      },
    ],
  };
}

/** Waits until the person has edited the file. */
export function editForm({name, path}: PlanFile): Form {
  return {
    title: `Edit ${path} now.`,
    about: {kind: 'plan-edit', name, path},
    fields: [{name: 'done', label: 'Is it saved?', kind: 'yes-no', default: true}],
  };
}

/** Asks why not. */
export function feedbackForm({name, path}: PlanFile): Form {
  return {
    title: 'The plan is not carried out.',
    about: {kind: 'plan-feedback', name, path},
    fields: [
      {name: 'feedback', label: 'What should change', description: 'Enter for nothing.', kind: 'text', default: ''},
    ],
  };
}
